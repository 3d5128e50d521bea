/* Collectives that do not block, as messages. What a rank can do at once is started where the call
 * stands. What must wait for that is in a stream of its own, which progresses while the rank is in
 * a call, as in libraries without a thread for it.
 */

/* Several may be under way: all ranks call those of a communicator in the same order, and each has
 * a tag of its own for a while. */
static int later_tag(MPI_Comm comm)
{
    return OWN_TAG - 16 - communicator_of(comm)->n_later++ % 1024;
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

/* ---- what is started at once ---- */

/* A barrier and a reduction for all: each round goes twice as far round the ranks. */
static void begin_rounds(struct collective one, struct group all, int number)
{
    start_receive(all, (all.me + all.n - 1) % all.n, number);
    start_send(all, (all.me + 1) % all.n, one.bytes, number);
}

/* Broadcasts and reductions go along a binomial tree. */
static void begin_broadcast(struct collective one, struct group all, int number)
{
    if (all.me != one.root)
        start_receive(all, parent(all, one.root), number);
    for (int far = span(all, 0) / 2; all.me == one.root && far; far /= 2)
        start_send(all, out_of_tree(all, one.root, far), one.bytes, number);
}

static int has_children(struct collective one, struct group all)
{
    int me = in_tree(all, one.root);
    return span(all, me) > 1 && me + 1 < all.n;
}

static void begin_reduction(struct collective one, struct group all, int number)
{
    int me = in_tree(all, one.root);
    if (!has_children(one, all))
        start_send(all, parent(all, one.root), one.bytes, number);
    for (int far = span(all, me) / 2; far; far /= 2)
        if (me + far < all.n)
            start_receive(all, out_of_tree(all, one.root, me + far), number);
}

static void begin_scan(struct collective one, struct group all, int number)
{
    if (all.me == 0)
        start_send(all, 1, one.bytes, number);
    else
        start_receive(all, all.me - 1, number);
}

static void begin_gather(struct collective one, struct group all, int number)
{
    if (all.me != one.root)
        start_send(all, one.root, one.bytes, number);
    for (int rank = 0; all.me == one.root && rank < all.n; rank++)
        if (rank != one.root)
            start_receive(all, rank, number);
}

static void begin_scatter(struct collective one, struct group all, int number)
{
    if (all.me != one.root)
        start_receive(all, one.root, number);
    for (int rank = 0; all.me == one.root && rank < all.n; rank++)
        if (rank != one.root)
            start_send(all, rank, one.blocks ? one.blocks[rank] : one.bytes, number);
}

/* The block that a rank gathers from each is the one that it sends to all. */
static void begin_exchange(struct collective one, struct group all, int number)
{
    int is_same = one.kind == ALL_GATHER_BLOCKS;
    start_all(all, is_same ? NULL : one.blocks, is_same ? one.blocks[all.me] : one.bytes, number);
}

static void begin_in_group(struct collective one, struct group all, int number)
{
    int kind = one.kind;
    if (kind == BARRIER || kind == ALL_REDUCE)
        begin_rounds(one, all, number);
    else if (kind == BROADCAST)
        begin_broadcast(one, all, number);
    else if (kind == REDUCE)
        begin_reduction(one, all, number);
    else if (kind == SCAN)
        begin_scan(one, all, number);
    else if (kind == GATHER || kind == GATHER_BLOCKS)
        begin_gather(one, all, number);
    else if (kind == SCATTER || kind == SCATTER_BLOCKS)
        begin_scatter(one, all, number);
    else
        begin_exchange(one, all, number);
}

/* ---- what follows ---- */

static int has_rest(struct collective one, struct group all)
{
    int kind = one.kind;
    if (kind == BARRIER || kind == ALL_REDUCE)
        return all.n > 2;
    if (kind == BROADCAST || kind == REDUCE)
        return all.me != one.root && has_children(one, all);
    return kind == SCAN && all.me > 0 && all.me < all.n - 1;
}

static void rest_of_rounds(struct collective one, struct group all)
{
    for (int far = 2; far < all.n; far *= 2)
        swap(all, (all.me + far) % all.n, one.bytes, (all.me + all.n - far) % all.n);
}

static void rest_of_broadcast(struct collective one, struct group all)
{
    int me = in_tree(all, one.root);
    for (int far = span(all, me) / 2; far; far /= 2)
        if (me + far < all.n)
            send_to(all, out_of_tree(all, one.root, me + far), one.bytes);
}

static void follow(struct collective one, struct group all)
{
    if (one.kind == BROADCAST)
        rest_of_broadcast(one, all);
    else if (one.kind == REDUCE)
        send_to(all, parent(all, one.root), one.bytes);
    else if (one.kind == SCAN)
        send_to(all, all.me + 1, one.bytes);
    else
        rest_of_rounds(one, all);
}

static void turn_to(int stream)
{
    put(STREAM, OF_PROCESS, 0, 0, stream, 0);
}

/* The call returns when the stream has begun. */
static void begin_aside(struct collective one, struct group all, int place)
{
    int stream = place + 1;
    under_way[place].is_aside = 1;
    row(SIGNAL, start_of_stream(place));
    turn_to(stream);
    row(WAIT_FOR, start_of_stream(place));
    begin_in_group(one, all, stream);
    row(SIGNAL, return_to_call(place));
    row(WAIT, stream);
    follow(one, all);
    row(SIGNAL, end_of_stream(place));
    turn_to(0);
    row(WAIT_FOR, return_to_call(place));
}

/* ---- calls ---- */

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
    else {
        all.tag = one.tag ? one.tag : later_tag(one.comm);
        if (has_two_sides(one.comm))
            start_between(one, all.tag, place + 1);
        else if (has_rest(one, all))
            begin_aside(one, all, place);
        else
            begin_in_group(one, all, place + 1);
    }
    return place;
}

#if MPI_VERSION >= 4
/* Returns a collective that is kept; all ranks prepare those of a communicator in one order. */
static struct collective kept(struct collective one)
{
    one.tag = communicator_of(one.comm) ? later_tag(one.comm) : 0;
    return one;
}
#endif

static int begin_once(struct collective one)
{
    int place = begin(one);
    free(one.blocks);
    return place;
}
