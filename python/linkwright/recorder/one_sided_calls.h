/* One-sided calls whose counts have one of two types: included for each. Their messages are those
 * of one_sided.h.
 */

#define MAKING_WINDOW(name, parameters, ...) MAKING_WINDOW_(name, parameters, __VA_ARGS__)
#define MAKING_WINDOW_(name, parameters, ...)                                                      \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        int is_outer = enter(), result = CALL(name, __VA_ARGS__);                                  \
        return window_made(is_outer, result, c, *w, "MPI_" #name);                                 \
    }                                                                                              \
    FROM_FORTRAN(name)

MAKING_WINDOW(SIZED(Win_create),
              (void *a, MPI_Aint n, PLACE d, MPI_Info i, MPI_Comm c, MPI_Win *w), a, n, d, i, c, w);
MAKING_WINDOW(SIZED(Win_allocate),
              (MPI_Aint n, PLACE d, MPI_Info i, MPI_Comm c, void *a, MPI_Win *w), n, d, i, c, a, w);

#define OPERATING(name, sent, returned, parameters, ...)                                           \
    OPERATING_(name, sent, returned, parameters, __VA_ARGS__)
#define OPERATING_(name, sent, returned, parameters, ...)                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (enter())                                                                               \
            operate(w, r, sent, returned);                                                         \
        return leave(CALL(name, __VA_ARGS__));                                                     \
    }                                                                                              \
    FROM_FORTRAN(name)
#define BEGINNING_(name, sent, returned, parameters, ...)                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        int place = enter() ? begin_to_operate(w, r, sent, returned) : -1;                         \
        return leave(hold(place, q, CALL(name, __VA_ARGS__)));                                     \
    }                                                                                              \
    FROM_FORTRAN(name)
#define BEGINNING_TO(name, sent, returned, parameters, ...)                                        \
    BEGINNING_(name, sent, returned, parameters, __VA_ARGS__)

#define THERE int r, MPI_Aint d, COUNT m, MPI_Datatype u
OPERATING(SIZED(Put), size_of(n, t), -1, (const void *a, COUNT n, MPI_Datatype t, THERE, MPI_Win w),
          a, n, t, r, d, m, u, w);
OPERATING(SIZED(Get), 0, size_of(n, t), (void *a, COUNT n, MPI_Datatype t, THERE, MPI_Win w), a, n,
          t, r, d, m, u, w);
OPERATING(SIZED(Accumulate), size_of(n, t), -1,
          (const void *a, COUNT n, MPI_Datatype t, THERE, MPI_Op o, MPI_Win w), a, n, t, r, d, m, u,
          o, w);
OPERATING(SIZED(Get_accumulate), o == MPI_NO_OP ? 0 : size_of(n, t), size_of(k, v),
          (const void *a, COUNT n, MPI_Datatype t, void *b, COUNT k, MPI_Datatype v, THERE,
           MPI_Op o, MPI_Win w),
          a, n, t, b, k, v, r, d, m, u, o, w);
BEGINNING_TO(SIZED(Rput), size_of(n, t), -1,
             (const void *a, COUNT n, MPI_Datatype t, THERE, MPI_Win w, MPI_Request *q), a, n, t, r,
             d, m, u, w, q);
BEGINNING_TO(SIZED(Rget), 0, size_of(n, t),
             (void *a, COUNT n, MPI_Datatype t, THERE, MPI_Win w, MPI_Request *q), a, n, t, r, d, m,
             u, w, q);
BEGINNING_TO(SIZED(Raccumulate), size_of(n, t), -1,
             (const void *a, COUNT n, MPI_Datatype t, THERE, MPI_Op o, MPI_Win w, MPI_Request *q),
             a, n, t, r, d, m, u, o, w, q);
BEGINNING_TO(SIZED(Rget_accumulate), o == MPI_NO_OP ? 0 : size_of(n, t), size_of(k, v),
             (const void *a, COUNT n, MPI_Datatype t, void *b, COUNT k, MPI_Datatype v, THERE,
              MPI_Op o, MPI_Win w, MPI_Request *q),
             a, n, t, b, k, v, r, d, m, u, o, w, q);
#undef THERE
#undef MAKING_WINDOW
#undef MAKING_WINDOW_
#undef OPERATING
#undef OPERATING_
#undef BEGINNING_
#undef BEGINNING_TO
