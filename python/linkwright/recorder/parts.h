/* Collectives whose blocks differ, as MPICH 1.1 sends their messages [MPICH-1.1]: a recording has
 * steps for those of equal blocks only.
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

/* Ranks of a tree count from its root. */
static int in_tree(struct group all, int root)
{
    return (all.me - root + all.n) % all.n;
}

static int out_of_tree(struct group all, int root, int place)
{
    return (place + root) % all.n;
}

/* The receive is posted, the send follows, both are waited for. */
static void swap(struct group all, int to, long long bytes, int from)
{
    start_receive(all, from, OWN_NUMBER);
    start_send(all, to, bytes, OWN_NUMBER);
    row(WAIT, OWN_NUMBER);
}

/* From each rank to the next, block after block. */
static void all_gather(struct group all, const long long *blocks)
{
    for (int step = 0; step < all.n - 1; step++) {
        int block = (all.me + all.n - step) % all.n;
        swap(all, (all.me + 1) % all.n, blocks[block], (all.me + all.n - 1) % all.n);
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

static void scatter(struct group all, int root, const long long *blocks)
{
    if (all.me != root)
        receive_from(all, root);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            send_to(all, rank, blocks[rank]);
}

/* Receives from all are posted beside the sends to all; a rank's own block goes that way too. */
static void start_all(struct group all, const long long *blocks, long long bytes, int number)
{
    for (int rank = 0; rank < all.n; rank++) {
        start_receive(all, rank, number);
        start_send(all, rank, blocks ? blocks[rank] : bytes, number);
    }
}

static void all_to_all(struct group all, const long long *blocks)
{
    start_all(all, blocks, 0, OWN_NUMBER);
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
