/* Collectives that do not block, as messages. What a rank can do at once is started where the call
 * stands; what must wait for that follows where the program waits for it, as in libraries that
 * progress only within a call.
 */

/* Of messages that may be under way beside those of collectives that block. */
#define LATER_TAG (OWN_TAG - 1)

static void send_later(struct group all, int rank, long long bytes)
{
    put(SEND, all.world[rank], bytes, LATER_TAG, 0, all.communicator);
}

/* Ranks below a place in the tree are less than this away: its lowest bit, for the root all. */
static int span(struct group all, int place)
{
    int lowest = place ? place & -place : 1;
    while (!place && lowest < all.n)
        lowest *= 2;
    return lowest;
}

static int parent(struct group all, int root)
{
    int me = in_tree(all, root);
    return out_of_tree(all, root, me - span(all, me));
}

/* ---- what follows at the wait ---- */

static void rest_of_rounds(struct collective one, struct group all)
{
    for (int far = 2; far < all.n; far *= 2)
        swap(all, (all.me + far) % all.n, one.bytes, (all.me + all.n - far) % all.n, LATER_TAG);
}

static void rest_of_broadcast(struct collective one, struct group all)
{
    int me = in_tree(all, one.root);
    for (int far = span(all, me) / 2; far; far /= 2)
        if (me + far < all.n)
            send_later(all, out_of_tree(all, one.root, me + far), one.bytes);
}

static void rest_of_reduction(struct collective one, struct group all)
{
    send_later(all, parent(all, one.root), one.bytes);
}

static void rest_of_scan(struct collective one, struct group all)
{
    if (all.me < all.n - 1)
        send_later(all, all.me + 1, one.bytes);
}

/* ---- what is started at once ---- */

/* A barrier and a reduction for all: each round goes twice as far round the ranks. */
static void begin_rounds(struct collective one, struct group all, int place)
{
    start_receive(all, (all.me + all.n - 1) % all.n, LATER_TAG, place + 1);
    start_send(all, (all.me + 1) % all.n, one.bytes, LATER_TAG, place + 1);
    under_way[place].rest = rest_of_rounds;
}

/* Broadcasts and reductions go along a binomial tree. */
static void begin_broadcast(struct collective one, struct group all, int place)
{
    if (all.me != one.root) {
        start_receive(all, parent(all, one.root), LATER_TAG, place + 1);
        under_way[place].rest = rest_of_broadcast;
    }
    for (int far = span(all, 0) / 2; all.me == one.root && far; far /= 2)
        start_send(all, out_of_tree(all, one.root, far), one.bytes, LATER_TAG, place + 1);
}

static void begin_reduction(struct collective one, struct group all, int place)
{
    int me = in_tree(all, one.root), is_leaf = me % 2 || me + 1 == all.n;
    if (is_leaf && me)
        start_send(all, parent(all, one.root), one.bytes, LATER_TAG, place + 1);
    else if (me)
        under_way[place].rest = rest_of_reduction;
    for (int far = span(all, me) / 2; far; far /= 2)
        if (me + far < all.n)
            start_receive(all, out_of_tree(all, one.root, me + far), LATER_TAG, place + 1);
}

static void begin_scan(struct collective one, struct group all, int place)
{
    if (all.me == 0) {
        start_send(all, 1, one.bytes, LATER_TAG, place + 1);
        return;
    }
    start_receive(all, all.me - 1, LATER_TAG, place + 1);
    under_way[place].rest = rest_of_scan;
}

static void begin_gather(struct collective one, struct group all, int place)
{
    if (all.me != one.root)
        start_send(all, one.root, one.bytes, LATER_TAG, place + 1);
    for (int rank = 0; all.me == one.root && rank < all.n; rank++)
        if (rank != one.root)
            start_receive(all, rank, LATER_TAG, place + 1);
}

static void begin_scatter(struct collective one, struct group all, int place)
{
    if (all.me != one.root)
        start_receive(all, one.root, LATER_TAG, place + 1);
    for (int rank = 0; all.me == one.root && rank < all.n; rank++)
        if (rank != one.root)
            start_send(all, rank, one.blocks ? one.blocks[rank] : one.bytes, LATER_TAG, place + 1);
}

/* The block that a rank gathers from each is the one that it sends to all. */
static void begin_exchange(struct collective one, struct group all, int place)
{
    int is_same = one.kind == ALL_GATHER_BLOCKS;
    start_all(all, is_same ? NULL : one.blocks, is_same ? one.blocks[all.me] : one.bytes,
              LATER_TAG, place + 1);
}

static void begin_in_group(struct collective one, struct group all, int place)
{
    int kind = one.kind;
    if (kind == BARRIER || kind == ALL_REDUCE)
        begin_rounds(one, all, place);
    else if (kind == BROADCAST)
        begin_broadcast(one, all, place);
    else if (kind == REDUCE)
        begin_reduction(one, all, place);
    else if (kind == SCAN)
        begin_scan(one, all, place);
    else if (kind == GATHER || kind == GATHER_BLOCKS)
        begin_gather(one, all, place);
    else if (kind == SCATTER || kind == SCATTER_BLOCKS)
        begin_scatter(one, all, place);
    else
        begin_exchange(one, all, place);
}

/* Records a call that does not block, and returns its place where there is anything to wait for.
 * The caller keeps the blocks. */
static int begin(struct collective one)
{
    struct group all = group_of(one.comm);
    int place;

    if (one.kind != NEIGHBOURS && !has_two_sides(one.comm) && all.n < 2)
        return -1;
    place = take_place();
    if (one.kind == NEIGHBOURS)
        start_with_neighbours(one, place + 1);
    else if (has_two_sides(one.comm))
        start_between(one, LATER_TAG, place + 1);
    else
        begin_in_group(one, all, place);
    under_way[place].all = all;
    under_way[place].one = one;
    under_way[place].one.blocks = NULL;
    return place;
}

static int begin_once(struct collective one)
{
    int place = begin(one);
    free(one.blocks);
    return place;
}
