/* Collectives that do not block, as messages. What a rank can do at once is started where the call
 * stands; what must wait for that follows where the program waits for it, as in libraries that go
 * on only within a call.
 */

/* Of messages that may be under way beside those of collectives that block. */
#define LATER_TAG (OWN_TAG - 1)

/* Returns who takes part; a place is taken where there is anything to wait for. */
static struct members begin(MPI_Comm comm, const char *name, int *place)
{
    struct members all = members_of(comm, name);
    *place = -1;
    if (all.n < 2) {
        free(all.world);
        return (struct members){0, 0, NULL};
    }
    *place = take_place();
    under_way[*place].all = all;
    return all;
}

static void then(int place, void (*rest)(struct members all, int root, long long bytes), int root,
                 long long bytes)
{
    under_way[place].rest = rest;
    under_way[place].root = root;
    under_way[place].bytes = bytes;
}

static void start_send(struct members all, int rank, long long bytes, int place)
{
    row(START_SEND, all.world[rank], bytes, LATER_TAG, place + 1);
}

static void start_receive(struct members all, int rank, int place)
{
    row(START_RECEIVE, all.world[rank], 0, LATER_TAG, place + 1);
}

static void send_later(struct members all, int rank, long long bytes)
{
    row(SEND, all.world[rank], bytes, LATER_TAG, 0);
}

/* ---- a barrier and a reduction for all: each round goes twice as far round the ranks ---- */

static void rest_of_rounds(struct members all, int unused, long long bytes)
{
    (void)unused;
    for (int far = 2; far < all.n; far *= 2)
        exchange(all.world[(all.me + far) % all.n], bytes, LATER_TAG,
                 all.world[(all.me + all.n - far) % all.n], LATER_TAG);
}

static int begin_rounds(MPI_Comm comm, const char *name, long long bytes)
{
    int place;
    struct members all = begin(comm, name, &place);
    if (place >= 0) {
        start_receive(all, (all.me + all.n - 1) % all.n, place);
        start_send(all, (all.me + 1) % all.n, bytes, place);
        then(place, rest_of_rounds, 0, bytes);
    }
    return place;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? begin_rounds(comm, "MPI_Ibarrier", 0) : -1;
    return leave(hold(place, request, NEXT(Ibarrier)(comm, request)));
}
FROM_FORTRAN(Ibarrier);

int MPI_Iallreduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? begin_rounds(comm, "MPI_Iallreduce", size_of(count, type)) : -1;
    return leave(hold(place, request,
                      NEXT(Iallreduce)(data, into, count, type, op, comm, request)));
}
FROM_FORTRAN(Iallreduce);

/* ---- broadcasts and reductions: along a binomial tree ---- */

/* Ranks below a place in the tree are less than this away: its lowest bit, for the root all. */
static int span(struct members all, int place)
{
    int lowest = place ? place & -place : 1;
    while (!place && lowest < all.n)
        lowest *= 2;
    return lowest;
}

static int parent(struct members all, int root)
{
    int me = in_tree(all, root);
    return out_of_tree(all, root, me - span(all, me));
}

static void rest_of_broadcast(struct members all, int root, long long bytes)
{
    int me = in_tree(all, root);
    for (int far = span(all, me) / 2; far; far /= 2)
        if (me + far < all.n)
            send_later(all, out_of_tree(all, root, me + far), bytes);
}

static void rest_of_reduction(struct members all, int root, long long bytes)
{
    send_later(all, parent(all, root), bytes);
}

static int begin_broadcast(MPI_Comm comm, int root, long long bytes)
{
    int place;
    struct members all = begin(comm, "MPI_Ibcast", &place);
    if (place >= 0 && all.me != root) {
        start_receive(all, parent(all, root), place);
        then(place, rest_of_broadcast, root, bytes);
    }
    for (int far = span(all, 0) / 2; place >= 0 && all.me == root && far; far /= 2)
        start_send(all, out_of_tree(all, root, far), bytes, place);
    return place;
}

static int begin_reduction(MPI_Comm comm, int root, long long bytes)
{
    int place;
    struct members all = begin(comm, "MPI_Ireduce", &place);
    int me = place >= 0 ? in_tree(all, root) : 0, is_leaf = me % 2 || me + 1 == all.n;
    if (place >= 0 && is_leaf)
        start_send(all, parent(all, root), bytes, place);
    else if (place >= 0 && me)
        then(place, rest_of_reduction, root, bytes);
    for (int far = span(all, me) / 2; place >= 0 && far; far /= 2)
        if (me + far < all.n)
            start_receive(all, out_of_tree(all, root, me + far), place);
    return place;
}

int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request)
{
    int place = enter() ? begin_broadcast(comm, root, size_of(count, type)) : -1;
    return leave(hold(place, request, NEXT(Ibcast)(data, count, type, root, comm, request)));
}
FROM_FORTRAN(Ibcast);

int MPI_Ireduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? begin_reduction(comm, root, size_of(count, type)) : -1;
    return leave(hold(place, request,
                      NEXT(Ireduce)(data, into, count, type, op, root, comm, request)));
}
FROM_FORTRAN(Ireduce);

/* ---- scans: from each rank to the next ---- */

static void rest_of_scan(struct members all, int unused, long long bytes)
{
    (void)unused;
    if (all.me < all.n - 1)
        send_later(all, all.me + 1, bytes);
}

static int begin_scan(MPI_Comm comm, const char *name, long long bytes)
{
    int place;
    struct members all = begin(comm, name, &place);
    if (place >= 0 && all.me == 0)
        start_send(all, 1, bytes, place);
    else if (place >= 0) {
        start_receive(all, all.me - 1, place);
        then(place, rest_of_scan, 0, bytes);
    }
    return place;
}

#define SCANNING_ON(name)                                                                          \
    int MPI_##name(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,          \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        int place = enter() ? begin_scan(comm, "MPI_" #name, size_of(count, type)) : -1;           \
        return leave(                                                                              \
            hold(place, request, NEXT(name)(data, into, count, type, op, comm, request)));         \
    }                                                                                              \
    FROM_FORTRAN(name)

SCANNING_ON(Iscan);
SCANNING_ON(Iexscan);

/* ---- from all to all ---- */

static int begin_all_to_all(MPI_Comm comm, const char *name, struct blocks blocks)
{
    int place;
    struct members all = begin(comm, name, &place);
    if (place >= 0)
        start_blocks(all, blocks, LATER_TAG, place + 1);
    return place;
}

/* The same block to all, of which each rank has another. */
static int begin_all_gather(MPI_Comm comm, const int counts[], MPI_Datatype type)
{
    int place;
    struct members all = begin(comm, "MPI_Iallgatherv", &place);
    if (place >= 0)
        start_blocks(all, (struct blocks){.count = counts[all.me], .type = type}, LATER_TAG,
                     place + 1);
    return place;
}

int MPI_Ialltoall(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.count = into_count, .type = into_type};
    int place = enter() ? begin_all_to_all(comm, "MPI_Ialltoall", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Ialltoall)(data, count, type, into, into_count, into_type, comm,
                                      request)));
}
FROM_FORTRAN(Ialltoall);

int MPI_Ialltoallv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                   void *into, const int into_counts[], const int into_places[],
                   MPI_Datatype into_type, MPI_Comm comm, MPI_Request *request)
{
    struct blocks received = {.counts = into_counts, .type = into_type};
    struct blocks blocks = sent(data, (struct blocks){.counts = counts, .type = type}, received);
    int place = enter() ? begin_all_to_all(comm, "MPI_Ialltoallv", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Ialltoallv)(data, counts, places, type, into, into_counts, into_places,
                                       into_type, comm, request)));
}
FROM_FORTRAN(Ialltoallv);

int MPI_Ialltoallw(const void *data, const int counts[], const int places[],
                   const MPI_Datatype types[], void *into, const int into_counts[],
                   const int into_places[], const MPI_Datatype into_types[], MPI_Comm comm,
                   MPI_Request *request)
{
    struct blocks received = {.counts = into_counts, .types = into_types};
    struct blocks blocks = sent(data, (struct blocks){.counts = counts, .types = types}, received);
    int place = enter() ? begin_all_to_all(comm, "MPI_Ialltoallw", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Ialltoallw)(data, counts, places, types, into, into_counts, into_places,
                                       into_types, comm, request)));
}
FROM_FORTRAN(Ialltoallw);

int MPI_Iallgather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                   MPI_Datatype into_type, MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.count = into_count, .type = into_type};
    int place = enter() ? begin_all_to_all(comm, "MPI_Iallgather", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Iallgather)(data, count, type, into, into_count, into_type, comm,
                                       request)));
}
FROM_FORTRAN(Iallgather);

int MPI_Iallgatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                    const int places[], MPI_Datatype into_type, MPI_Comm comm,
                    MPI_Request *request)
{
    int place = enter() ? begin_all_gather(comm, counts, into_type) : -1;
    return leave(hold(place, request,
                      NEXT(Iallgatherv)(data, count, type, into, counts, places, into_type, comm,
                                        request)));
}
FROM_FORTRAN(Iallgatherv);

int MPI_Ireduce_scatter(const void *data, void *into, const int counts[], MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.counts = counts, .type = type};
    int place = enter() ? begin_all_to_all(comm, "MPI_Ireduce_scatter", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Ireduce_scatter)(data, into, counts, type, op, comm, request)));
}
FROM_FORTRAN(Ireduce_scatter);

int MPI_Ireduce_scatter_block(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.count = count, .type = type};
    int place = enter() ? begin_all_to_all(comm, "MPI_Ireduce_scatter_block", blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Ireduce_scatter_block)(data, into, count, type, op, comm, request)));
}
FROM_FORTRAN(Ireduce_scatter_block);

/* ---- from all to one, and from one to all ---- */

static int begin_gather(MPI_Comm comm, const char *name, int root, int count, MPI_Datatype type)
{
    int place;
    struct members all = begin(comm, name, &place);
    if (place >= 0 && all.me != root)
        start_send(all, root, size_of(count, type), place);
    for (int rank = 0; place >= 0 && all.me == root && rank < all.n; rank++)
        if (rank != root)
            start_receive(all, rank, place);
    return place;
}

static int begin_scatter(MPI_Comm comm, const char *name, int root, struct blocks blocks)
{
    int place;
    struct members all = begin(comm, name, &place);
    if (place >= 0 && all.me != root)
        start_receive(all, root, place);
    for (int rank = 0; place >= 0 && all.me == root && rank < all.n; rank++)
        if (rank != root)
            start_send(all, rank, block_bytes(blocks, rank), place);
    return place;
}

int MPI_Igather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                MPI_Datatype into_type, int root, MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? begin_gather(comm, "MPI_Igather", root, count, type) : -1;
    return leave(hold(place, request,
                      NEXT(Igather)(data, count, type, into, into_count, into_type, root, comm,
                                    request)));
}
FROM_FORTRAN(Igather);

int MPI_Igatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                 const int places[], MPI_Datatype into_type, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    int place = enter() ? begin_gather(comm, "MPI_Igatherv", root, count, type) : -1;
    return leave(hold(place, request,
                      NEXT(Igatherv)(data, count, type, into, counts, places, into_type, root, comm,
                                     request)));
}
FROM_FORTRAN(Igatherv);

int MPI_Iscatter(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                 MPI_Datatype into_type, int root, MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.count = count, .type = type};
    int place = enter() ? begin_scatter(comm, "MPI_Iscatter", root, blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Iscatter)(data, count, type, into, into_count, into_type, root, comm,
                                     request)));
}
FROM_FORTRAN(Iscatter);

int MPI_Iscatterv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                  void *into, int count, MPI_Datatype into_type, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    struct blocks blocks = {.counts = counts, .type = type};
    int place = enter() ? begin_scatter(comm, "MPI_Iscatterv", root, blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Iscatterv)(data, counts, places, type, into, count, into_type, root,
                                      comm, request)));
}
FROM_FORTRAN(Iscatterv);
