/* Messages in parts: one message, sent when the last of its parts is ready. */
#if MPI_VERSION >= 4

int MPI_Psend_init(const void *data, int n_parts, MPI_Count count, MPI_Datatype type, int to,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    int is_outer = enter();
    int result = CALL(Psend_init, data, n_parts, count, type, to, tag, comm, info, request);
    if (is_outer && result == MPI_SUCCESS)
        *prepare(*request) = (struct prepared){.request = *request,
                                               .step = START_SEND,
                                               .peer = end_of(to, comm),
                                               .bytes = n_parts * size_of(count, type),
                                               .tag = tag,
                                               .communicator = number_of(comm),
                                               .n_parts = n_parts};
    return leave(result);
}
FROM_FORTRAN(Psend_init);

int MPI_Precv_init(void *data, int n_parts, MPI_Count count, MPI_Datatype type, int from, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    int is_outer = enter();
    int result = CALL(Precv_init, data, n_parts, count, type, from, tag, comm, info, request);
    if (is_outer && result == MPI_SUCCESS)
        *prepare(*request) = (struct prepared){.request = *request,
                                               .step = START_RECEIVE,
                                               .peer = end_of(from, comm),
                                               .tag = tag_of(tag),
                                               .communicator = number_of(comm)};
    return leave(result);
}
FROM_FORTRAN(Precv_init);

static void become_ready(MPI_Request request, int n)
{
    struct prepared *one = prepared_of(request);
    if (!one || one->peer == NOBODY)
        return;
    one->n_ready += n;
    if (one->n_ready == one->n_parts)
        put(START_SEND, one->peer, one->bytes, one->tag, one->place + 1, one->communicator);
}

int MPI_Pready(int part, MPI_Request request)
{
    if (enter())
        become_ready(request, 1);
    return leave(CALL(Pready, part, request));
}
FROM_FORTRAN(Pready);

int MPI_Pready_range(int first, int final, MPI_Request request)
{
    if (enter())
        become_ready(request, final - first + 1);
    return leave(CALL(Pready_range, first, final, request));
}
FROM_FORTRAN(Pready_range);

/* MPICH 4.0 forgets that the list is constant. */
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000
#define LISTED int
#else
#define LISTED const int
#endif

int MPI_Pready_list(int n, LISTED parts[], MPI_Request request)
{
    if (enter())
        become_ready(request, n);
    return leave(CALL(Pready_list, n, parts, request));
}
FROM_FORTRAN(Pready_list);

int MPI_Parrived(MPI_Request request, int part, int *flag)
{
    int is_outer = enter(), result = CALL(Parrived, request, part, flag);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Parrived);
#endif
