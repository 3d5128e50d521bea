/* Calls that are not recorded: each is counted, and said at the end. A recording with one of them
 * is not played, since they move data or wait for others. Those with counts are in
 * left_out_calls.h.
 */

#define LEFT_OUT(name, parameters, ...) LEFT_OUT_(name, parameters, __VA_ARGS__)
#define LEFT_OUT_(name, parameters, ...)                                                           \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (enter())                                                                               \
            left_out("MPI_" #name);                                                                \
        return leave(CALL(name, __VA_ARGS__));                                                     \
    }                                                                                              \
    FROM_FORTRAN(name)

/* ---- files ---- */

LEFT_OUT(File_open, (MPI_Comm c, const char *a, int m, MPI_Info i, MPI_File *f), c, a, m, i, f);
LEFT_OUT(File_close, (MPI_File * f), f);
LEFT_OUT(File_sync, (MPI_File f), f);

#define ENDING(name, data)                                                                         \
    LEFT_OUT(File_##name##_end, (MPI_File f, data, MPI_Status * s), f, a, s)
#define ENDING_EACH(name, data)                                                                    \
    ENDING(name##_all, data);                                                                      \
    ENDING(name##_at_all, data);                                                                   \
    ENDING(name##_ordered, data)
ENDING_EACH(read, void *a);
ENDING_EACH(write, const void *a);

/* ---- other programs ---- */

LEFT_OUT(Comm_spawn,
         (const char *p, char *v[], int n, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d, int e[]),
         p, v, n, i, r, c, d, e);
LEFT_OUT(Comm_spawn_multiple,
         (int k, char *p[], char **v[], const int n[], const MPI_Info i[], int r, MPI_Comm c,
          MPI_Comm *d, int e[]),
         k, p, v, n, i, r, c, d, e);
LEFT_OUT(Comm_accept, (const char *p, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d),
         p, i, r, c, d);
LEFT_OUT(Comm_connect, (const char *p, MPI_Info i, int r, MPI_Comm c, MPI_Comm *d),
         p, i, r, c, d);
LEFT_OUT(Comm_join, (int f, MPI_Comm *d), f, d);

#if MPI_VERSION >= 4
/* ---- without MPI_COMM_WORLD ---- */

LEFT_OUT(Comm_create_from_group,
         (MPI_Group g, const char *s, MPI_Info i, MPI_Errhandler e, MPI_Comm *d), g, s, i, e, d);
LEFT_OUT(Intercomm_create_from_groups,
         (MPI_Group g, int l, MPI_Group h, int r, const char *s, MPI_Info i, MPI_Errhandler e,
          MPI_Comm *d),
         g, l, h, r, s, i, e, d);
#endif
