/* Collectives with the neighbours of a Cartesian grid or a graph, as one message to each and one
 * from each. They may be of any communicator.
 */

/* The tag of neighbourhoods: messages of one call match in the order of the neighbours. */
#define NEIGHBOUR_TAG (OWN_TAG - 2)

struct neighbours {
    int n_from, n_to;
    int *from, *to;
};

static struct neighbours room_for(int n_from, int n_to)
{
    return (struct neighbours){n_from, n_to, enlarged(NULL, n_from + 1, sizeof(int)),
                               enlarged(NULL, n_to + 1, sizeof(int))};
}

static struct neighbours in_grid(MPI_Comm comm)
{
    struct neighbours found;
    int n_axes;
    PMPI_Cartdim_get(comm, &n_axes);
    found = room_for(2 * n_axes, 2 * n_axes);
    for (int axis = 0; axis < n_axes; axis++)
        PMPI_Cart_shift(comm, axis, 1, &found.from[2 * axis], &found.from[2 * axis + 1]);
    memcpy(found.to, found.from, 2 * n_axes * sizeof(int));
    return found;
}

static struct neighbours in_graph(MPI_Comm comm)
{
    struct neighbours found;
    int n;
    PMPI_Graph_neighbors_count(comm, rank_in(comm), &n);
    found = room_for(n, n);
    PMPI_Graph_neighbors(comm, rank_in(comm), n, found.from);
    memcpy(found.to, found.from, n * sizeof(int));
    return found;
}

static struct neighbours in_distributed_graph(MPI_Comm comm)
{
    struct neighbours found;
    int n_from, n_to, is_weighted, *weights;
    PMPI_Dist_graph_neighbors_count(comm, &n_from, &n_to, &is_weighted);
    found = room_for(n_from, n_to);
    weights = enlarged(NULL, n_from + n_to + 1, sizeof(int));
    PMPI_Dist_graph_neighbors(comm, n_from, found.from, weights, n_to, found.to, weights + n_from);
    free(weights);
    return found;
}

static struct neighbours neighbours_in(MPI_Comm comm)
{
    int kind;
    PMPI_Topo_test(comm, &kind);
    return kind == MPI_CART         ? in_grid(comm)
           : kind == MPI_GRAPH      ? in_graph(comm)
           : kind == MPI_DIST_GRAPH ? in_distributed_graph(comm)
                                    : room_for(0, 0);
}

static int n_neighbours(MPI_Comm comm)
{
    struct neighbours found = neighbours_in(comm);
    free(found.from);
    free(found.to);
    return found.n_to;
}

static void start_with_neighbours(struct collective one, int number)
{
    struct neighbours found = neighbours_in(one.comm);
    int communicator = number_of(one.comm);
    for (int i = 0; i < found.n_from; i++) {
        int from = end_of(found.from[i], one.comm);
        if (from != NOBODY)
            put(START_RECEIVE, from, 0, NEIGHBOUR_TAG, number, communicator);
    }
    for (int i = 0; i < found.n_to; i++) {
        int to = end_of(found.to[i], one.comm);
        if (to != NOBODY)
            put(START_SEND, to, one.blocks ? one.blocks[i] : one.bytes, NEIGHBOUR_TAG, number,
                communicator);
    }
    free(found.from);
    free(found.to);
}
