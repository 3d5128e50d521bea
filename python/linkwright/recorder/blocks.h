/* Collectives that have no step: those whose blocks differ, as MPICH 1.1 sends their messages, and
 * scans, from each rank to the next.
 */

/* Messages of collectives: the largest tag, which programs leave alone. */
#define OWN_TAG 0x7fffffff

/* What goes to or comes from each rank: one count or one of each, one type or one of each. */
struct blocks {
    int count;
    MPI_Datatype type;
    const int *counts;
    const MPI_Datatype *types;
};

static long long block_bytes(struct blocks blocks, int peer)
{
    return size_of(blocks.counts ? blocks.counts[peer] : blocks.count,
                   blocks.types ? blocks.types[peer] : blocks.type);
}

static long long all_bytes(struct blocks blocks)
{
    long long bytes = 0;
    for (int peer = 0; peer < n_ranks; peer++)
        bytes += block_bytes(blocks, peer);
    return bytes;
}

/* Receives from all are posted beside the sends to all; what a rank has for itself goes the same
 * way. */
static void start_all_to_all(struct blocks blocks, int tag, int number)
{
    for (int peer = 0; peer < n_ranks; peer++) {
        row(START_RECEIVE, peer, 0, tag, number);
        row(START_SEND, peer, block_bytes(blocks, peer), tag, number);
    }
}

static void scatter_blocks(struct blocks blocks, int root)
{
    if (my_rank != root)
        row(RECEIVE, root, 0, OWN_TAG, 0);
    else
        for (int peer = 0; peer < n_ranks; peer++)
            if (peer != root)
                row(SEND, peer, block_bytes(blocks, peer), OWN_TAG, 0);
}

static void all_to_all(struct blocks blocks, MPI_Comm comm, const char *name)
{
    if (is_of_all(comm, name)) {
        start_all_to_all(blocks, OWN_TAG, OWN_NUMBER);
        row(WAIT, 0, 0, 0, OWN_NUMBER);
    }
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
        all_to_all(sent(data, blocks, (struct blocks){.counts = into_counts, .type = into_type}),
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
        all_to_all(sent(data, blocks, (struct blocks){.counts = into_counts, .types = into_types}),
                   comm, "MPI_Alltoallw");
    return leave(NEXT(Alltoallw)(data, counts, places, types, into, into_counts, into_places,
                                 into_types, comm));
}
FROM_FORTRAN(Alltoallw);

int MPI_Gatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                const int places[], MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Gatherv")) {
        if (my_rank != root)
            row(SEND, root, size_of(count, type), OWN_TAG, 0);
        else
            for (int peer = 0; peer < n_ranks; peer++)
                if (peer != root)
                    row(RECEIVE, peer, 0, OWN_TAG, 0);
    }
    return leave(NEXT(Gatherv)(data, count, type, into, counts, places, into_type, root, comm));
}
FROM_FORTRAN(Gatherv);

int MPI_Scatterv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                 void *into, int count, MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Scatterv"))
        scatter_blocks((struct blocks){.counts = counts, .type = type}, root);
    return leave(NEXT(Scatterv)(data, counts, places, type, into, count, into_type, root, comm));
}
FROM_FORTRAN(Scatterv);

int MPI_Allgatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                   const int places[], MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Allgatherv")) {
        int right = (my_rank + 1) % n_ranks, left = (my_rank + n_ranks - 1) % n_ranks;
        for (int step = 0; step < n_ranks - 1; step++) {
            int block = (my_rank + n_ranks - step) % n_ranks;
            exchange(right, size_of(counts[block], into_type), OWN_TAG, left, OWN_TAG);
        }
    }
    return leave(NEXT(Allgatherv)(data, count, type, into, counts, places, into_type, comm));
}
FROM_FORTRAN(Allgatherv);

int MPI_Reduce_scatter(const void *data, void *into, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    struct blocks blocks = {.counts = counts, .type = type};
    if (enter() && is_of_all(comm, "MPI_Reduce_scatter")) {
        row(REDUCE, 0, all_bytes(blocks), 0, 0);
        scatter_blocks(blocks, 0);
    }
    return leave(NEXT(Reduce_scatter)(data, into, counts, type, op, comm));
}
FROM_FORTRAN(Reduce_scatter);

/* ---- scans ---- */

#define SCANNING(name)                                                                             \
    int MPI_##name(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,          \
                   MPI_Comm comm)                                                                  \
    {                                                                                              \
        if (enter() && is_of_all(comm, "MPI_" #name)) {                                            \
            if (my_rank > 0)                                                                       \
                row(RECEIVE, my_rank - 1, 0, OWN_TAG, 0);                                          \
            if (my_rank < n_ranks - 1)                                                             \
                row(SEND, my_rank + 1, size_of(count, type), OWN_TAG, 0);                          \
        }                                                                                          \
        return leave(NEXT(name)(data, into, count, type, op, comm));                               \
    }                                                                                              \
    FROM_FORTRAN(name)

SCANNING(Scan);
SCANNING(Exscan);
