/* Collectives of equal blocks. Those of all ranks stand as they are, so that the library of the
 * hosts that play them carries them out; those of some ranks as messages (parts.h). The bytes are
 * those of one rank or one block.
 */

static void carried_out(enum step step, struct members all, int root, long long bytes)
{
    if (are_everyone(all))
        row(step, root, bytes, 0, 0);
    else
        by_messages(step, all, root, bytes);
}

static void collective(enum step step, int root, long long bytes, MPI_Comm comm, const char *name)
{
    struct members all = members_of(comm, name);
    if (all.n)
        carried_out(step, all, root, bytes);
    free(all.world);
}

int MPI_Barrier(MPI_Comm comm)
{
    if (enter())
        collective(BARRIER, 0, 0, comm, "MPI_Barrier");
    return leave(NEXT(Barrier)(comm));
}
FROM_FORTRAN(Barrier);

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (enter())
        collective(BROADCAST, root, size_of(count, type), comm, "MPI_Bcast");
    return leave(NEXT(Bcast)(data, count, type, root, comm));
}
FROM_FORTRAN(Bcast);

int MPI_Reduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    if (enter())
        collective(REDUCE, root, size_of(count, type), comm, "MPI_Reduce");
    return leave(NEXT(Reduce)(data, into, count, type, op, root, comm));
}
FROM_FORTRAN(Reduce);

int MPI_Allreduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    if (enter())
        collective(ALL_REDUCE, 0, size_of(count, type), comm, "MPI_Allreduce");
    return leave(NEXT(Allreduce)(data, into, count, type, op, comm));
}
FROM_FORTRAN(Allreduce);

/* Only what a rank receives is given at every rank: with MPI_IN_PLACE it does not send. */
int MPI_Allgather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter())
        collective(ALL_GATHER, 0, size_of(into_count, into_type), comm, "MPI_Allgather");
    return leave(NEXT(Allgather)(data, count, type, into, into_count, into_type, comm));
}
FROM_FORTRAN(Allgather);

int MPI_Alltoall(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                 MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter())
        collective(ALL_TO_ALL, 0, size_of(into_count, into_type), comm, "MPI_Alltoall");
    return leave(NEXT(Alltoall)(data, count, type, into, into_count, into_type, comm));
}
FROM_FORTRAN(Alltoall);

static int is_rank(int root, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

int MPI_Gather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
               MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        int is_root = is_rank(root, comm);
        long long bytes = is_root ? size_of(into_count, into_type) : size_of(count, type);
        collective(GATHER, root, bytes, comm, "MPI_Gather");
    }
    return leave(NEXT(Gather)(data, count, type, into, into_count, into_type, root, comm));
}
FROM_FORTRAN(Gather);

int MPI_Scatter(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        int is_root = is_rank(root, comm);
        long long bytes = is_root ? size_of(count, type) : size_of(into_count, into_type);
        collective(SCATTER, root, bytes, comm, "MPI_Scatter");
    }
    return leave(NEXT(Scatter)(data, count, type, into, into_count, into_type, root, comm));
}
FROM_FORTRAN(Scatter);

int MPI_Reduce_scatter_block(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    if (enter()) {
        int n;
        PMPI_Comm_size(comm, &n);
        collective(REDUCE, 0, n * size_of(count, type), comm, "MPI_Reduce_scatter_block");
        collective(SCATTER, 0, size_of(count, type), comm, "MPI_Reduce_scatter_block");
    }
    return leave(NEXT(Reduce_scatter_block)(data, into, count, type, op, comm));
}
FROM_FORTRAN(Reduce_scatter_block);
