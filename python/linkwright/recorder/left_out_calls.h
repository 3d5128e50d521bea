/* Calls that are not recorded and whose counts have one of two types: included for each. Their
 * wrappers are those of left_out.h.
 */

/* ---- memory that ranks share: it changes without a call ---- */

LEFT_OUT(SIZED(Win_allocate_shared),
         (MPI_Aint n, PLACE d, MPI_Info i, MPI_Comm c, void *a, MPI_Win *w), n, d, i, c, a, w);

/* ---- files ---- */

#define READING(name, data)                                                                        \
    LEFT_OUT(SIZED(File_##name), (MPI_File f, data, COUNT n, MPI_Datatype t, MPI_Status *s), f, a, \
             n, t, s);                                                                             \
    LEFT_OUT(SIZED(File_i##name), (MPI_File f, data, COUNT n, MPI_Datatype t, MPI_Request *q), f,  \
             a, n, t, q)
#define READING_AT(name, data)                                                                     \
    LEFT_OUT(SIZED(File_##name),                                                                   \
             (MPI_File f, MPI_Offset o, data, COUNT n, MPI_Datatype t, MPI_Status *s), f, o, a, n, \
             t, s);                                                                                \
    LEFT_OUT(SIZED(File_i##name),                                                                  \
             (MPI_File f, MPI_Offset o, data, COUNT n, MPI_Datatype t, MPI_Request *q), f, o, a,   \
             n, t, q)
#define BEGINNING(name, data)                                                                      \
    LEFT_OUT(SIZED(File_##name##_begin), (MPI_File f, data, COUNT n, MPI_Datatype t), f, a, n, t)
#define MOVING(name, data)                                                                         \
    READING(name, data);                                                                           \
    READING(name##_all, data);                                                                     \
    READING(name##_shared, data);                                                                  \
    READING_AT(name##_at, data);                                                                   \
    READING_AT(name##_at_all, data);                                                               \
    LEFT_OUT(SIZED(File_##name##_ordered),                                                         \
             (MPI_File f, data, COUNT n, MPI_Datatype t, MPI_Status *s), f, a, n, t, s);           \
    BEGINNING(name##_all, data);                                                                   \
    BEGINNING(name##_ordered, data);                                                               \
    LEFT_OUT(SIZED(File_##name##_at_all_begin),                                                    \
             (MPI_File f, MPI_Offset o, data, COUNT n, MPI_Datatype t), f, o, a, n, t)

MOVING(read, void *a);
MOVING(write, const void *a);

#undef READING
#undef READING_AT
#undef BEGINNING
#undef MOVING
