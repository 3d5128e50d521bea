/* Collectives. Those of equal blocks stand as they are, with their communicator, so that the
 * library of the hosts that play them carries them out; all others as messages.
 */

/* Messages between two sides go directly from each rank to each that needs its data. */
static void start_between(struct collective one, int tag, int number)
{
    const struct communicator *found = communicator_of(one.comm);
    struct group others = {found->others.n, 0, found->others.world, found->number, tag};
    int from_root = one.kind == BROADCAST || one.kind == SCATTER || one.kind == SCATTER_BLOCKS;
    int to_root = one.kind == REDUCE || one.kind == GATHER || one.kind == GATHER_BLOCKS;
    int is_alone = one.root >= 0 && (from_root || to_root);
    int sends = is_alone ? to_root : !to_root, receives = is_alone ? from_root : !from_root;

    if (one.root == MPI_PROC_NULL && (from_root || to_root))
        return;
    for (int rank = 0; rank < others.n; rank++) {
        int meets = (!is_alone || rank == one.root) && others.world[rank] != MPI_UNDEFINED;
        if (others.world[rank] == MPI_UNDEFINED)
            left_out("a rank outside MPI_COMM_WORLD");
        if (meets && receives)
            start_receive(others, rank, number);
        if (meets && sends)
            start_send(others, rank, one.blocks ? one.blocks[rank] : one.bytes, number);
    }
}

/* A rank alone has nothing to do. */
static void carried_out_in(const struct communicator *all, int kind, int root, long long bytes)
{
    if (!all || (all->own.n < 2 && !all->is_everyone))
        return;
    for (int rank = 0; rank < all->own.n; rank++)
        if (all->own.world[rank] == MPI_UNDEFINED)
            left_out("a rank outside MPI_COMM_WORLD");
    if (root >= 0 && root < all->own.n)
        root = all->own.world[root];
    put(kind, root, bytes, 0, 0, all->is_everyone ? 0 : all->number);
}

static void carried_out(struct collective one, int kind, long long bytes)
{
    carried_out_in(communicator_of(one.comm), kind, one.root, bytes);
}

static void of_blocks(struct collective one)
{
    struct group all = group_of(one.comm);
    if (one.kind == ALL_TO_ALL_BLOCKS)
        all_to_all(all, one.blocks);
    else if (one.kind == ALL_GATHER_BLOCKS)
        all_gather(all, one.blocks);
    else if (one.kind == GATHER_BLOCKS)
        gather(all, one.root, one.bytes);
    else if (one.kind == SCATTER_BLOCKS)
        scatter(all, one.root, one.blocks);
    else if (one.kind == REDUCE_SCATTER_BLOCKS) {
        carried_out(one, REDUCE, sum_of(one));
        scatter(all, 0, one.blocks);
    } else if (one.kind == SCAN)
        scan(all, one.bytes);
    else
        carried_out(one, one.kind, one.bytes);
}

/* Records a call that blocks. */
static void carry_out(struct collective one)
{
    if (one.kind == NEIGHBOURS)
        start_with_neighbours(one, OWN_NUMBER);
    else if (has_two_sides(one.comm))
        start_between(one, OWN_TAG, OWN_NUMBER);
    else
        of_blocks(one);
    if (one.kind == NEIGHBOURS || has_two_sides(one.comm))
        row(WAIT, OWN_NUMBER);
    free(one.blocks);
    enter_collective(one.name);
}
