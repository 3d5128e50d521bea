/* Collectives of some of the ranks, as MPICH 1.1 sends their messages [MPICH-1.1]: a recording has
 * steps for those of all ranks only. The algorithms are those of crates/program/src/collective.
 */

/* The number of operations that start and end within a call: above the numbers of requests. */
#define OWN_NUMBER ((1 << 30) + call.number - 1)

static void send_to(struct group all, int rank, long long bytes)
{
    put(SEND, all.world[rank], bytes, all.tag, 0, all.communicator);
}

static void receive_from(struct group all, int rank)
{
    put(RECEIVE, all.world[rank], 0, all.tag, 0, all.communicator);
}

static void start_send(struct group all, int rank, long long bytes, int number)
{
    put(START_SEND, all.world[rank], bytes, all.tag, number, all.communicator);
}

static void start_receive(struct group all, int rank, int number)
{
    put(START_RECEIVE, all.world[rank], 0, all.tag, number, all.communicator);
}

static int power_of_two_in(int n)
{
    int power = 1;
    while (2 * power <= n)
        power *= 2;
    return power;
}

/* Ranks of a tree count from its root. */
static int in_tree(struct group all, int root)
{
    return (all.me - root + all.n) % all.n;
}

static int out_of_tree(struct group all, int root, int place)
{
    return (place + root) % all.n;
}

static void broadcast(struct group all, int root, long long bytes)
{
    int me = in_tree(all, root), n_tree = power_of_two_in(all.n);
    int came_by = me ? me & -me : n_tree;

    if (me >= n_tree) {
        receive_from(all, out_of_tree(all, root, me - n_tree));
        return;
    }
    if (me)
        receive_from(all, out_of_tree(all, root, me - came_by));
    for (int stride = came_by / 2; stride; stride /= 2)
        send_to(all, out_of_tree(all, root, me + stride), bytes);
    if (me < all.n - n_tree)
        send_to(all, out_of_tree(all, root, me + n_tree), bytes);
}

static void reduce(struct group all, int root, long long bytes)
{
    int me = in_tree(all, root);
    for (int bit = 1; bit < all.n; bit *= 2) {
        if (me & bit) {
            send_to(all, out_of_tree(all, root, me - bit), bytes);
            return;
        }
        if (me + bit < all.n)
            receive_from(all, out_of_tree(all, root, me + bit));
    }
}

/* The receive is posted, the send follows, both are waited for. */
static void swap(struct group all, int to, long long bytes, int from)
{
    start_receive(all, from, OWN_NUMBER);
    start_send(all, to, bytes, OWN_NUMBER);
    row(WAIT, OWN_NUMBER);
}

static void barrier(struct group all)
{
    int n_cube = power_of_two_in(all.n);
    if (all.me >= n_cube) {
        swap(all, all.me - n_cube, 0, all.me - n_cube);
        return;
    }
    if (all.me + n_cube < all.n)
        receive_from(all, all.me + n_cube);
    for (int far = 1; far < n_cube; far *= 2)
        swap(all, all.me ^ far, 0, all.me ^ far);
    if (all.me + n_cube < all.n)
        send_to(all, all.me + n_cube, 0);
}

/* From each rank to the next, block after block; the sizes of all blocks, or one for all. */
static void all_gather(struct group all, const long long *blocks, long long bytes)
{
    for (int step = 0; step < all.n - 1; step++) {
        int block = (all.me + all.n - step) % all.n;
        swap(all, (all.me + 1) % all.n, blocks ? blocks[block] : bytes,
             (all.me + all.n - 1) % all.n);
    }
}

static void gather(struct group all, int root, long long bytes)
{
    if (all.me != root)
        send_to(all, root, bytes);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            receive_from(all, rank);
}

static void scatter(struct group all, int root, const long long *blocks, long long bytes)
{
    if (all.me != root)
        receive_from(all, root);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            send_to(all, rank, blocks ? blocks[rank] : bytes);
}

/* Receives from all are posted beside the sends to all; a rank's own block goes that way too. */
static void start_all(struct group all, const long long *blocks, long long bytes, int number)
{
    for (int rank = 0; rank < all.n; rank++) {
        start_receive(all, rank, number);
        start_send(all, rank, blocks ? blocks[rank] : bytes, number);
    }
}

static void all_to_all(struct group all, const long long *blocks, long long bytes)
{
    start_all(all, blocks, bytes, OWN_NUMBER);
    if (all.n)
        row(WAIT, OWN_NUMBER);
}

static void scan(struct group all, long long bytes)
{
    if (all.me > 0)
        receive_from(all, all.me - 1);
    if (all.me < all.n - 1)
        send_to(all, all.me + 1, bytes);
}
