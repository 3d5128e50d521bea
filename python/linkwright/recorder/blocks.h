/* Collectives that have no step: those whose blocks differ, as MPICH 1.1 sends their messages, and
 * scans, from each rank to the next.
 */

/* What goes to or comes from each rank: one count or one of each, one type or one of each. */
struct blocks {
    int count;
    MPI_Datatype type;
    const int *counts;
    const MPI_Datatype *types;
};

static long long block_bytes(struct blocks blocks, int rank)
{
    return size_of(blocks.counts ? blocks.counts[rank] : blocks.count,
                   blocks.types ? blocks.types[rank] : blocks.type);
}

static long long all_bytes(struct members all, struct blocks blocks)
{
    long long bytes = 0;
    for (int rank = 0; rank < all.n; rank++)
        bytes += block_bytes(blocks, rank);
    return bytes;
}

/* Receives from all are posted beside the sends to all; what a rank has for itself goes the same
 * way. */
static void start_blocks(struct members all, struct blocks blocks, int tag, int number)
{
    for (int rank = 0; rank < all.n; rank++) {
        row(START_RECEIVE, all.world[rank], 0, tag, number);
        row(START_SEND, all.world[rank], block_bytes(blocks, rank), tag, number);
    }
}

static void scatter_blocks(struct members all, struct blocks blocks, int root)
{
    if (all.me != root)
        receive_from(all, root);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            send_to(all, rank, block_bytes(blocks, rank));
}

static void swap_blocks(struct blocks blocks, MPI_Comm comm, const char *name)
{
    struct members all = members_of(comm, name);
    if (all.n) {
        start_blocks(all, blocks, OWN_TAG, OWN_NUMBER);
        row(WAIT, 0, 0, 0, OWN_NUMBER);
    }
    free(all.world);
}

/* With MPI_IN_PLACE only the blocks that are received are given; they are those that are sent. */
static struct blocks sent(const void *data, struct blocks blocks, struct blocks received)
{
    return data == MPI_IN_PLACE ? received : blocks;
}

int MPI_Alltoallv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                  void *into, const int into_counts[], const int into_places[],
                  MPI_Datatype into_type, MPI_Comm comm)
{
    struct blocks blocks = {.counts = counts, .type = type};
    if (enter())
        swap_blocks(sent(data, blocks, (struct blocks){.counts = into_counts, .type = into_type}),
                    comm, "MPI_Alltoallv");
    return leave(NEXT(Alltoallv)(data, counts, places, type, into, into_counts, into_places,
                                 into_type, comm));
}
FROM_FORTRAN(Alltoallv);

int MPI_Alltoallw(const void *data, const int counts[], const int places[],
                  const MPI_Datatype types[], void *into, const int into_counts[],
                  const int into_places[], const MPI_Datatype into_types[], MPI_Comm comm)
{
    struct blocks blocks = {.counts = counts, .types = types};
    if (enter())
        swap_blocks(sent(data, blocks, (struct blocks){.counts = into_counts, .types = into_types}),
                    comm, "MPI_Alltoallw");
    return leave(NEXT(Alltoallw)(data, counts, places, types, into, into_counts, into_places,
                                 into_types, comm));
}
FROM_FORTRAN(Alltoallw);

int MPI_Gatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                const int places[], MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        struct members all = members_of(comm, "MPI_Gatherv");
        if (all.n)
            gather(all, root, all.me == root ? 0 : size_of(count, type));
        free(all.world);
    }
    return leave(NEXT(Gatherv)(data, count, type, into, counts, places, into_type, root, comm));
}
FROM_FORTRAN(Gatherv);

int MPI_Scatterv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                 void *into, int count, MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        struct members all = members_of(comm, "MPI_Scatterv");
        if (all.n)
            scatter_blocks(all, (struct blocks){.counts = counts, .type = type}, root);
        free(all.world);
    }
    return leave(NEXT(Scatterv)(data, counts, places, type, into, count, into_type, root, comm));
}
FROM_FORTRAN(Scatterv);

int MPI_Allgatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                   const int places[], MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter()) {
        struct members all = members_of(comm, "MPI_Allgatherv");
        for (int step = 0; step < all.n - 1; step++) {
            int block = (all.me + all.n - step) % all.n;
            swap(all, (all.me + 1) % all.n, size_of(counts[block], into_type),
                 (all.me + all.n - 1) % all.n);
        }
        free(all.world);
    }
    return leave(NEXT(Allgatherv)(data, count, type, into, counts, places, into_type, comm));
}
FROM_FORTRAN(Allgatherv);

int MPI_Reduce_scatter(const void *data, void *into, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    struct blocks blocks = {.counts = counts, .type = type};
    if (enter()) {
        struct members all = members_of(comm, "MPI_Reduce_scatter");
        if (all.n) {
            carried_out(REDUCE, all, 0, all_bytes(all, blocks));
            scatter_blocks(all, blocks, 0);
        }
        free(all.world);
    }
    return leave(NEXT(Reduce_scatter)(data, into, counts, type, op, comm));
}
FROM_FORTRAN(Reduce_scatter);

/* ---- scans ---- */

static void scan(MPI_Comm comm, long long bytes, const char *name)
{
    struct members all = members_of(comm, name);
    if (all.me > 0)
        receive_from(all, all.me - 1);
    if (all.me < all.n - 1)
        send_to(all, all.me + 1, bytes);
    free(all.world);
}

#define SCANNING(name)                                                                             \
    int MPI_##name(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,          \
                   MPI_Comm comm)                                                                  \
    {                                                                                              \
        if (enter())                                                                               \
            scan(comm, size_of(count, type), "MPI_" #name);                                        \
        return leave(NEXT(name)(data, into, count, type, op, comm));                               \
    }                                                                                              \
    FROM_FORTRAN(name)

SCANNING(Scan);
SCANNING(Exscan);
