/* Barriers: the collectives without data. */

static struct collective a_barrier(MPI_Comm comm, const char *name)
{
    return (struct collective){.name = name, .comm = comm, .kind = BARRIER};
}

int MPI_Barrier(MPI_Comm comm)
{
    if (enter())
        carry_out(a_barrier(comm, "MPI_Barrier"));
    return leave(CALL(Barrier, comm));
}
FROM_FORTRAN(Barrier);

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? begin(a_barrier(comm, "MPI_Ibarrier")) : -1;
    return leave(hold(place, request, CALL(Ibarrier, comm, request)));
}
FROM_FORTRAN(Ibarrier);

#if MPI_VERSION >= 4
int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    int is_outer = enter(), result = CALL(Barrier_init, comm, info, request);
    if (is_outer && result == MPI_SUCCESS)
        prepare(*request)->one = kept(a_barrier(comm, "MPI_Barrier_init"));
    return leave(result);
}
FROM_FORTRAN(Barrier_init);
#endif
