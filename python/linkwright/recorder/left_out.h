/* Calls that are not recorded: each is counted, and said at the end. What moves data or waits for
 * others makes the recording unplayable; what only prepares communicators takes no time in it.
 */

#define COUNTED(name, is_played, parameters, arguments)                                            \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (enter())                                                                               \
            omitted("MPI_" #name, "", is_played);                                                  \
        return leave(NEXT(name) arguments);                                                        \
    }                                                                                              \
    FROM_FORTRAN(name)

#define LEFT_OUT(name, parameters, arguments) COUNTED(name, 0, parameters, arguments)
#define FOR_FREE(name, parameters, arguments) COUNTED(name, 1, parameters, arguments)

LEFT_OUT(Cancel, (MPI_Request * r), (r));

/* ---- one-sided ---- */

LEFT_OUT(Win_create, (void *a, MPI_Aint n, int d, MPI_Info i, MPI_Comm c, MPI_Win *w),
         (a, n, d, i, c, w));
LEFT_OUT(Win_allocate, (MPI_Aint n, int d, MPI_Info i, MPI_Comm c, void *a, MPI_Win *w),
         (n, d, i, c, a, w));
LEFT_OUT(Win_allocate_shared, (MPI_Aint n, int d, MPI_Info i, MPI_Comm c, void *a, MPI_Win *w),
         (n, d, i, c, a, w));
LEFT_OUT(Win_create_dynamic, (MPI_Info i, MPI_Comm c, MPI_Win *w), (i, c, w));
LEFT_OUT(Win_free, (MPI_Win * w), (w));
LEFT_OUT(Win_fence, (int a, MPI_Win w), (a, w));
LEFT_OUT(Win_post, (MPI_Group g, int a, MPI_Win w), (g, a, w));
LEFT_OUT(Win_start, (MPI_Group g, int a, MPI_Win w), (g, a, w));
LEFT_OUT(Win_complete, (MPI_Win w), (w));
LEFT_OUT(Win_wait, (MPI_Win w), (w));
LEFT_OUT(Win_test, (MPI_Win w, int *f), (w, f));
LEFT_OUT(Win_lock, (int t, int r, int a, MPI_Win w), (t, r, a, w));
LEFT_OUT(Win_lock_all, (int a, MPI_Win w), (a, w));
LEFT_OUT(Win_unlock, (int r, MPI_Win w), (r, w));
LEFT_OUT(Win_unlock_all, (MPI_Win w), (w));
LEFT_OUT(Win_flush, (int r, MPI_Win w), (r, w));
LEFT_OUT(Win_flush_all, (MPI_Win w), (w));
LEFT_OUT(Win_flush_local, (int r, MPI_Win w), (r, w));
LEFT_OUT(Win_flush_local_all, (MPI_Win w), (w));

LEFT_OUT(Put,
         (const void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u,
          MPI_Win w),
         (a, n, t, r, d, m, u, w));
LEFT_OUT(Get,
         (void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Win w),
         (a, n, t, r, d, m, u, w));
LEFT_OUT(Accumulate,
         (const void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Op o,
          MPI_Win w),
         (a, n, t, r, d, m, u, o, w));
LEFT_OUT(Get_accumulate,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Aint d,
          int k, MPI_Datatype v, MPI_Op o, MPI_Win w),
         (a, n, t, b, m, u, r, d, k, v, o, w));
LEFT_OUT(Fetch_and_op,
         (const void *a, void *b, MPI_Datatype t, int r, MPI_Aint d, MPI_Op o, MPI_Win w),
         (a, b, t, r, d, o, w));
LEFT_OUT(Compare_and_swap,
         (const void *a, const void *b, void *c, MPI_Datatype t, int r, MPI_Aint d, MPI_Win w),
         (a, b, c, t, r, d, w));
LEFT_OUT(Rput,
         (const void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Win w,
          MPI_Request *q),
         (a, n, t, r, d, m, u, w, q));
LEFT_OUT(Rget,
         (void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Win w,
          MPI_Request *q),
         (a, n, t, r, d, m, u, w, q));
LEFT_OUT(Raccumulate,
         (const void *a, int n, MPI_Datatype t, int r, MPI_Aint d, int m, MPI_Datatype u, MPI_Op o,
          MPI_Win w, MPI_Request *q),
         (a, n, t, r, d, m, u, o, w, q));
LEFT_OUT(Rget_accumulate,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Aint d,
          int k, MPI_Datatype v, MPI_Op o, MPI_Win w, MPI_Request *q),
         (a, n, t, b, m, u, r, d, k, v, o, w, q));

/* ---- files ---- */

LEFT_OUT(File_open, (MPI_Comm c, const char *a, int m, MPI_Info i, MPI_File *f), (c, a, m, i, f));
LEFT_OUT(File_close, (MPI_File * f), (f));
LEFT_OUT(File_sync, (MPI_File f), (f));

#define FROM_HERE(name, data)                                                                      \
    LEFT_OUT(File_##name, (MPI_File f, data, int n, MPI_Datatype t, MPI_Status *s),                \
             (f, a, n, t, s));                                                                     \
    LEFT_OUT(File_i##name, (MPI_File f, data, int n, MPI_Datatype t, MPI_Request *q),              \
             (f, a, n, t, q))
#define FROM_THERE(name, data)                                                                     \
    LEFT_OUT(File_##name, (MPI_File f, MPI_Offset o, data, int n, MPI_Datatype t, MPI_Status *s),  \
             (f, o, a, n, t, s));                                                                  \
    LEFT_OUT(File_i##name,                                                                         \
             (MPI_File f, MPI_Offset o, data, int n, MPI_Datatype t, MPI_Request *q),              \
             (f, o, a, n, t, q))
#define IN_TWO_PARTS(name, data)                                                                   \
    LEFT_OUT(File_##name##_begin, (MPI_File f, data, int n, MPI_Datatype t), (f, a, n, t));        \
    LEFT_OUT(File_##name##_end, (MPI_File f, data, MPI_Status *s), (f, a, s))
#define MOVING(name, data)                                                                         \
    FROM_HERE(name, data);                                                                         \
    FROM_HERE(name##_all, data);                                                                   \
    FROM_HERE(name##_shared, data);                                                                \
    FROM_THERE(name##_at, data);                                                                   \
    FROM_THERE(name##_at_all, data);                                                               \
    LEFT_OUT(File_##name##_ordered, (MPI_File f, data, int n, MPI_Datatype t, MPI_Status *s),      \
             (f, a, n, t, s));                                                                     \
    IN_TWO_PARTS(name##_all, data);                                                                \
    IN_TWO_PARTS(name##_ordered, data);                                                            \
    LEFT_OUT(File_##name##_at_all_begin,                                                           \
             (MPI_File f, MPI_Offset o, data, int n, MPI_Datatype t), (f, o, a, n, t));            \
    LEFT_OUT(File_##name##_at_all_end, (MPI_File f, data, MPI_Status *s), (f, a, s))

MOVING(read, void *a);
MOVING(write, const void *a);

/* ---- other programs ---- */

LEFT_OUT(Comm_spawn,
         (const char *p, char *v[], int n, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d, int e[]),
         (p, v, n, i, r, c, d, e));
LEFT_OUT(Comm_spawn_multiple,
         (int k, char *p[], char **v[], const int n[], const MPI_Info i[], int r, MPI_Comm c,
          MPI_Comm *d, int e[]),
         (k, p, v, n, i, r, c, d, e));
LEFT_OUT(Comm_accept, (const char *p, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d),
         (p, i, r, c, d));
LEFT_OUT(Comm_connect, (const char *p, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d),
         (p, i, r, c, d));
LEFT_OUT(Comm_join, (int f, MPI_Comm *d), (f, d));

/* ---- communicators, which are made once and agreed on with a few bytes ---- */

FOR_FREE(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d));
FOR_FREE(Comm_dup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm *d), (c, i, d));
FOR_FREE(Comm_idup, (MPI_Comm c, MPI_Comm *d, MPI_Request *q), (c, d, q));
FOR_FREE(Comm_split, (MPI_Comm c, int a, int b, MPI_Comm *d), (c, a, b, d));
FOR_FREE(Comm_split_type, (MPI_Comm c, int a, int b, MPI_Info i, MPI_Comm *d), (c, a, b, i, d));
FOR_FREE(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *d), (c, g, d));
FOR_FREE(Comm_create_group, (MPI_Comm c, MPI_Group g, int t, MPI_Comm *d), (c, g, t, d));
FOR_FREE(Cart_create,
         (MPI_Comm c, int n, const int s[], const int p[], int r, MPI_Comm *d), (c, n, s, p, r, d));
FOR_FREE(Cart_sub, (MPI_Comm c, const int k[], MPI_Comm *d), (c, k, d));
FOR_FREE(Graph_create,
         (MPI_Comm c, int n, const int i[], const int e[], int r, MPI_Comm *d), (c, n, i, e, r, d));
FOR_FREE(Dist_graph_create,
         (MPI_Comm c, int n, const int s[], const int k[], const int t[], const int w[], MPI_Info i,
          int r, MPI_Comm *d),
         (c, n, s, k, t, w, i, r, d));
FOR_FREE(Dist_graph_create_adjacent,
         (MPI_Comm c, int n, const int s[], const int v[], int m, const int t[], const int w[],
          MPI_Info i, int r, MPI_Comm *d),
         (c, n, s, v, m, t, w, i, r, d));
FOR_FREE(Intercomm_create, (MPI_Comm c, int a, MPI_Comm p, int b, int t, MPI_Comm *d),
         (c, a, p, b, t, d));
FOR_FREE(Intercomm_merge, (MPI_Comm c, int h, MPI_Comm *d), (c, h, d));
FOR_FREE(Buffer_detach, (void *a, int *n), (a, n));
