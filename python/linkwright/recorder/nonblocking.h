/* Collectives that do not block, as messages. What a rank can do at once is started where the call
 * stands; what must wait for that follows where the program waits for it, as in libraries that go
 * on only within a call.
 */

/* Of messages that may be under way beside those of collectives that block. */
#define LATER_TAG (OWN_TAG - 1)

static int begin(MPI_Comm comm, const char *name)
{
    return is_of_all(comm, name) && n_ranks > 1 ? take_place() : -1;
}

static void then(int place, void (*rest)(int root, long long bytes), int root, long long bytes)
{
    under_way[place].rest = rest;
    under_way[place].root = root;
    under_way[place].bytes = bytes;
}

/* ---- a barrier and a reduction for all: each round goes twice as far round the ranks ---- */

static void rest_of_rounds(int unused, long long bytes)
{
    (void)unused;
    for (int far = 2; far < n_ranks; far *= 2)
        exchange((my_rank + far) % n_ranks, bytes, LATER_TAG,
                 (my_rank + n_ranks - far) % n_ranks, LATER_TAG);
}

static int begin_rounds(MPI_Comm comm, const char *name, long long bytes)
{
    int place = begin(comm, name);
    if (place >= 0) {
        row(START_RECEIVE, (my_rank + n_ranks - 1) % n_ranks, 0, LATER_TAG, place + 1);
        row(START_SEND, (my_rank + 1) % n_ranks, bytes, LATER_TAG, place + 1);
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

/* ---- broadcasts and reductions: along a binomial tree whose root is rank 0 of the tree ---- */

static int place_in_tree(int root)
{
    return (my_rank - root + n_ranks) % n_ranks;
}

/* Ranks below a place are less than this away from it: its lowest bit, for the root all. */
static int span(int place)
{
    int lowest = 1;
    while (place ? !(place & lowest) : lowest < n_ranks)
        lowest *= 2;
    return lowest;
}

static int parent(int root)
{
    int place = place_in_tree(root);
    return (place - span(place) + root) % n_ranks;
}

static void with_children(enum step step, int root, long long bytes, int number)
{
    int place = place_in_tree(root);
    for (int far = span(place) / 2; far; far /= 2)
        if (place + far < n_ranks)
            row(step, (place + far + root) % n_ranks, bytes, LATER_TAG, number);
}

static void rest_of_broadcast(int root, long long bytes)
{
    with_children(START_SEND, root, bytes, OWN_NUMBER);
    row(WAIT, 0, 0, 0, OWN_NUMBER);
}

static void rest_of_reduction(int root, long long bytes)
{
    row(SEND, parent(root), bytes, LATER_TAG, 0);
}

static int begin_broadcast(MPI_Comm comm, int root, long long bytes)
{
    int place = begin(comm, "MPI_Ibcast");
    if (place >= 0 && my_rank == root)
        with_children(START_SEND, root, bytes, place + 1);
    else if (place >= 0) {
        row(START_RECEIVE, parent(root), 0, LATER_TAG, place + 1);
        then(place, rest_of_broadcast, root, bytes);
    }
    return place;
}

static int begin_reduction(MPI_Comm comm, int root, long long bytes)
{
    int place = begin(comm, "MPI_Ireduce"), in_tree = place_in_tree(root);
    int is_leaf = in_tree % 2 || in_tree + 1 == n_ranks;
    if (place >= 0 && is_leaf)
        row(START_SEND, parent(root), bytes, LATER_TAG, place + 1);
    else if (place >= 0) {
        with_children(START_RECEIVE, root, 0, place + 1);
        if (my_rank != root)
            then(place, rest_of_reduction, root, bytes);
    }
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

static void rest_of_scan(int unused, long long bytes)
{
    (void)unused;
    if (my_rank < n_ranks - 1)
        row(SEND, my_rank + 1, bytes, LATER_TAG, 0);
}

static int begin_scan(MPI_Comm comm, const char *name, long long bytes)
{
    int place = begin(comm, name);
    if (place >= 0 && my_rank == 0)
        row(START_SEND, 1, bytes, LATER_TAG, place + 1);
    else if (place >= 0) {
        row(START_RECEIVE, my_rank - 1, 0, LATER_TAG, place + 1);
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
    int place = begin(comm, name);
    if (place >= 0)
        start_all_to_all(blocks, LATER_TAG, place + 1);
    return place;
}

/* The same block to all, of which each rank has another. */
static int begin_all_gather(MPI_Comm comm, const int counts[], MPI_Datatype type)
{
    int place = begin(comm, "MPI_Iallgatherv");
    if (place >= 0)
        start_all_to_all((struct blocks){.count = counts[my_rank], .type = type}, LATER_TAG,
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

static int begin_gather(MPI_Comm comm, const char *name, int root, struct blocks blocks)
{
    int place = begin(comm, name);
    if (place >= 0 && my_rank != root)
        row(START_SEND, root, block_bytes(blocks, my_rank), LATER_TAG, place + 1);
    for (int peer = 0; place >= 0 && my_rank == root && peer < n_ranks; peer++)
        if (peer != root)
            row(START_RECEIVE, peer, 0, LATER_TAG, place + 1);
    return place;
}

static int begin_scatter(MPI_Comm comm, const char *name, int root, struct blocks blocks)
{
    int place = begin(comm, name);
    if (place >= 0 && my_rank != root)
        row(START_RECEIVE, root, 0, LATER_TAG, place + 1);
    for (int peer = 0; place >= 0 && my_rank == root && peer < n_ranks; peer++)
        if (peer != root)
            row(START_SEND, peer, block_bytes(blocks, peer), LATER_TAG, place + 1);
    return place;
}

int MPI_Igather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                MPI_Datatype into_type, int root, MPI_Comm comm, MPI_Request *request)
{
    struct blocks blocks = {.count = count, .type = type};
    int place = enter() ? begin_gather(comm, "MPI_Igather", root, blocks) : -1;
    return leave(hold(place, request,
                      NEXT(Igather)(data, count, type, into, into_count, into_type, root, comm,
                                    request)));
}
FROM_FORTRAN(Igather);

int MPI_Igatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                 const int places[], MPI_Datatype into_type, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    struct blocks blocks = {.count = count, .type = type};
    int place = enter() ? begin_gather(comm, "MPI_Igatherv", root, blocks) : -1;
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
