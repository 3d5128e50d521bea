/* Collectives of some of the ranks, as MPICH 1.1 sends their messages [MPICH-1.1]: a recording has
 * steps for those of all ranks only. The algorithms are those of crates/program/src/collective.
 */

/* Messages of collectives: a tag that programs leave alone, with room above it for those that
 * collectives get when a recording is written as GOAL text. */
#define OWN_TAG (1 << 30)

static void send_to(struct members all, int rank, long long bytes)
{
    row(SEND, all.world[rank], bytes, OWN_TAG, 0);
}

static void receive_from(struct members all, int rank)
{
    row(RECEIVE, all.world[rank], 0, OWN_TAG, 0);
}

static int power_of_two_in(int n)
{
    int power = 1;
    while (2 * power <= n)
        power *= 2;
    return power;
}

/* Ranks of a tree count from its root. */
static int in_tree(struct members all, int root)
{
    return (all.me - root + all.n) % all.n;
}

static int out_of_tree(struct members all, int root, int place)
{
    return (place + root) % all.n;
}

static void broadcast(struct members all, int root, long long bytes)
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

static void reduce(struct members all, int root, long long bytes)
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

static void swap(struct members all, int to, long long bytes, int from)
{
    exchange(all.world[to], bytes, OWN_TAG, all.world[from], OWN_TAG);
}

static void barrier(struct members all)
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

static void all_gather(struct members all, long long bytes)
{
    for (int step = 1; step < all.n; step++)
        swap(all, (all.me + 1) % all.n, bytes, (all.me + all.n - 1) % all.n);
}

static void gather(struct members all, int root, long long bytes)
{
    if (all.me != root)
        send_to(all, root, bytes);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            receive_from(all, rank);
}

static void scatter(struct members all, int root, long long bytes)
{
    if (all.me != root)
        receive_from(all, root);
    for (int rank = 0; all.me == root && rank < all.n; rank++)
        if (rank != root)
            send_to(all, rank, bytes);
}

static void all_to_all(struct members all, long long bytes)
{
    for (int rank = 0; rank < all.n; rank++) {
        row(START_RECEIVE, all.world[rank], 0, OWN_TAG, OWN_NUMBER);
        row(START_SEND, all.world[rank], bytes, OWN_TAG, OWN_NUMBER);
    }
    row(WAIT, 0, 0, 0, OWN_NUMBER);
}

static void by_messages(enum step step, struct members all, int root, long long bytes)
{
    if (step == BROADCAST)
        broadcast(all, root, bytes);
    else if (step == REDUCE)
        reduce(all, root, bytes);
    else if (step == ALL_REDUCE) {
        reduce(all, 0, bytes);
        broadcast(all, 0, bytes);
    } else if (step == BARRIER)
        barrier(all);
    else if (step == ALL_GATHER)
        all_gather(all, bytes);
    else if (step == ALL_TO_ALL)
        all_to_all(all, bytes);
    else if (step == GATHER)
        gather(all, root, bytes);
    else if (step == SCATTER)
        scatter(all, root, bytes);
}
