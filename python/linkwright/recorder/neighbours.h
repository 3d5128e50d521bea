/* Collectives with the neighbours of a Cartesian grid or a graph, as one message to each and one
 * from each. They may be of any communicator.
 */

/* Of neighbourhoods: messages of one call match in the order of the neighbours. */
#define NEIGHBOUR_TAG (OWN_TAG - 2)

/* Ranks in MPI_COMM_WORLD, NOBODY beyond an edge. */
struct neighbours {
    int n_from, n_to;
    int *from, *to;
};

static void in_grid(MPI_Comm comm, struct neighbours *found)
{
    int n_axes;
    PMPI_Cartdim_get(comm, &n_axes);
    found->n_from = found->n_to = 2 * n_axes;
    found->from = enlarged(NULL, 2 * n_axes + 1, sizeof(int));
    found->to = enlarged(NULL, 2 * n_axes + 1, sizeof(int));
    for (int axis = 0; axis < n_axes; axis++)
        PMPI_Cart_shift(comm, axis, 1, &found->from[2 * axis], &found->from[2 * axis + 1]);
    memcpy(found->to, found->from, 2 * n_axes * sizeof(int));
}

static void in_graph(MPI_Comm comm, struct neighbours *found)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &found->n_from);
    found->n_to = found->n_from;
    found->from = enlarged(NULL, found->n_from + 1, sizeof(int));
    found->to = enlarged(NULL, found->n_from + 1, sizeof(int));
    PMPI_Graph_neighbors(comm, rank, found->n_from, found->from);
    memcpy(found->to, found->from, found->n_from * sizeof(int));
}

static void in_distributed_graph(MPI_Comm comm, struct neighbours *found)
{
    int is_weighted, *weights;
    PMPI_Dist_graph_neighbors_count(comm, &found->n_from, &found->n_to, &is_weighted);
    found->from = enlarged(NULL, found->n_from + 1, sizeof(int));
    found->to = enlarged(NULL, found->n_to + 1, sizeof(int));
    weights = enlarged(NULL, found->n_from + found->n_to + 1, sizeof(int));
    PMPI_Dist_graph_neighbors(comm, found->n_from, found->from, weights, found->n_to, found->to,
                              weights + found->n_from);
    free(weights);
}

static struct neighbours neighbours_in(MPI_Comm comm)
{
    struct neighbours found = {0, 0, NULL, NULL};
    int kind;

    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART)
        in_grid(comm, &found);
    else if (kind == MPI_GRAPH)
        in_graph(comm, &found);
    else if (kind == MPI_DIST_GRAPH)
        in_distributed_graph(comm, &found);
    for (int i = 0; i < found.n_from; i++)
        found.from[i] = end_of(found.from[i], comm);
    for (int i = 0; i < found.n_to; i++)
        found.to[i] = end_of(found.to[i], comm);
    return found;
}

static void start_with_neighbours(MPI_Comm comm, struct blocks blocks, int number)
{
    struct neighbours found = neighbours_in(comm);
    for (int i = 0; i < found.n_from; i++)
        if (found.from[i] != NOBODY)
            row(START_RECEIVE, found.from[i], 0, NEIGHBOUR_TAG, number);
    for (int i = 0; i < found.n_to; i++)
        if (found.to[i] != NOBODY)
            row(START_SEND, found.to[i], block_bytes(blocks, i), NEIGHBOUR_TAG, number);
    free(found.from);
    free(found.to);
}

static void meet(int is_outer, MPI_Comm comm, struct blocks blocks)
{
    if (is_outer) {
        start_with_neighbours(comm, blocks, OWN_NUMBER);
        row(WAIT, 0, 0, 0, OWN_NUMBER);
    }
}

static int begin_to_meet(int is_outer, MPI_Comm comm, struct blocks blocks)
{
    int place = is_outer ? take_place() : -1;
    if (is_outer)
        start_with_neighbours(comm, blocks, place + 1);
    return place;
}

/* One wrapper that blocks and one that does not, of calls whose parameters and arguments are given
 * without the communicator. */
#define PAIR(name, blocks, parameters, ...)                                                        \
    int MPI_Neighbor_##name(parameters, MPI_Comm comm)                                             \
    {                                                                                              \
        meet(enter(), comm, blocks);                                                               \
        return leave(NEXT(Neighbor_##name)(__VA_ARGS__, comm));                                    \
    }                                                                                              \
    FROM_FORTRAN(Neighbor_##name);                                                                 \
    int MPI_Ineighbor_##name(parameters, MPI_Comm comm, MPI_Request *request)                      \
    {                                                                                              \
        int place = begin_to_meet(enter(), comm, blocks);                                          \
        return leave(hold(place, request, NEXT(Ineighbor_##name)(__VA_ARGS__, comm, request)));    \
    }                                                                                              \
    FROM_FORTRAN(Ineighbor_##name)

#define LIST(...) __VA_ARGS__

PAIR(allgather, LIST((struct blocks){.count = n, .type = type}),
     LIST(const void *data, int n, MPI_Datatype type, void *into, int m, MPI_Datatype into_type),
     data, n, type, into, m, into_type);
PAIR(allgatherv, LIST((struct blocks){.count = n, .type = type}),
     LIST(const void *data, int n, MPI_Datatype type, void *into, const int m[], const int places[],
          MPI_Datatype into_type),
     data, n, type, into, m, places, into_type);
PAIR(alltoall, LIST((struct blocks){.count = n, .type = type}),
     LIST(const void *data, int n, MPI_Datatype type, void *into, int m, MPI_Datatype into_type),
     data, n, type, into, m, into_type);
PAIR(alltoallv, LIST((struct blocks){.counts = n, .type = type}),
     LIST(const void *data, const int n[], const int places[], MPI_Datatype type, void *into,
          const int m[], const int into_places[], MPI_Datatype into_type),
     data, n, places, type, into, m, into_places, into_type);
PAIR(alltoallw, LIST((struct blocks){.counts = n, .types = types}),
     LIST(const void *data, const int n[], const MPI_Aint places[], const MPI_Datatype types[],
          void *into, const int m[], const MPI_Aint into_places[], const MPI_Datatype into_types[]),
     data, n, places, types, into, m, into_places, into_types);
