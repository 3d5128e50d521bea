/* Requests: what is under way, what is prepared to be started again and again, and the calls that
 * wait or ask. What a call has completed is waited for in the recording.
 */

/* The number of a request is its place plus 1. */
static struct under_way {
    MPI_Request request;
    int is_taken;
    /* What a collective does once this is over, and who takes part. */
    void (*rest)(struct members all, int root, long long bytes);
    struct members all;
    int root;
    long long bytes;
} *under_way;
static int n_places;

/* These keep their handle when they are over. */
static struct prepared {
    MPI_Request request;
    enum step step;
    int peer, tag;
    long long bytes;
} *prepared;
static int n_prepared;

/* Returns a place; hold() takes the request for it when the call has given it. */
static int take_place(void)
{
    int place = 0;

    while (place < n_places && under_way[place].is_taken)
        place++;
    if (place == n_places) {
        n_places = n_places ? 2 * n_places : 64;
        under_way = enlarged(under_way, n_places, sizeof *under_way);
        memset(under_way + place, 0, (n_places - place) * sizeof *under_way);
    }
    under_way[place] = (struct under_way){.request = MPI_REQUEST_NULL, .is_taken = 1};
    return place;
}

static int hold(int place, const MPI_Request *request, int result)
{
    if (place >= 0)
        under_way[place].request = *request;
    return result;
}

static int start(enum step step, int peer, long long bytes, int tag)
{
    int place = -1;
    if (peer != NOBODY) {
        place = take_place();
        row(step, peer, bytes, tag, place + 1);
    }
    return place;
}

static void wait_at(int place)
{
    struct under_way one = under_way[place];
    under_way[place].is_taken = 0;
    row(WAIT, 0, 0, 0, place + 1);
    if (one.rest)
        one.rest(one.all, one.root, one.bytes);
    free(one.all.world);
}

static int place_of(MPI_Request request)
{
    for (int place = 0; request != MPI_REQUEST_NULL && place < n_places; place++)
        if (under_way[place].is_taken && under_way[place].request == request)
            return place;
    return -1;
}

/* Records that a request has been waited for with success. Libraries give one handle to all that is
 * over at once; which of those it is makes no difference. */
static void waited(MPI_Request request)
{
    int place = place_of(request);
    if (place >= 0)
        wait_at(place);
}

/* What the program has never waited for is over at its end. */
static void wait_for_all(void)
{
    for (int place = 0; place < n_places; place++)
        if (under_way[place].is_taken)
            wait_at(place);
}

/* ---- prepared requests ---- */

static void prepare(MPI_Request request, enum step step, int peer, long long bytes, int tag)
{
    prepared = enlarged(prepared, n_prepared + 1, sizeof *prepared);
    prepared[n_prepared++] = (struct prepared){request, step, peer, tag, bytes};
}

static struct prepared *prepared_of(MPI_Request request)
{
    for (int i = 0; i < n_prepared; i++)
        if (prepared[i].request == request)
            return &prepared[i];
    return NULL;
}

static void start_prepared(MPI_Request request)
{
    const struct prepared *one = prepared_of(request);
    if (one)
        hold(start(one->step, one->peer, one->bytes, one->tag), &request, 0);
    else
        left_out("MPI_Start of what no call of MPI 3 has prepared");
}

int MPI_Start(MPI_Request *request)
{
    if (enter())
        start_prepared(*request);
    return leave(NEXT(Start)(request));
}
FROM_FORTRAN(Start);

int MPI_Startall(int n, MPI_Request requests[])
{
    int is_outer = enter();
    for (int i = 0; is_outer && i < n; i++)
        start_prepared(requests[i]);
    return leave(NEXT(Startall)(n, requests));
}
FROM_FORTRAN(Startall);

/* What is still under way goes on, and nobody can wait for it any more. */
int MPI_Request_free(MPI_Request *request)
{
    if (enter()) {
        int place = place_of(*request);
        struct prepared *one = prepared_of(*request);
        if (place >= 0)
            under_way[place].request = MPI_REQUEST_NULL;
        if (one)
            *one = prepared[--n_prepared];
    }
    return leave(NEXT(Request_free)(request));
}
FROM_FORTRAN(Request_free);

/* ---- waits ---- */

static MPI_Request *copy_of(int n, const MPI_Request *requests)
{
    MPI_Request *copy = enlarged(NULL, n > 0 ? n : 1, sizeof *copy);
    if (n > 0)
        memcpy(copy, requests, n * sizeof *copy);
    return copy;
}

static void waited_some(int is_outer, MPI_Request *before, int n, const int *indices)
{
    for (int i = 0; is_outer && i < n && n != MPI_UNDEFINED; i++)
        waited(before[indices ? indices[i] : i]);
    free(before);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (enter())
        waited(*request);
    return leave(NEXT(Wait)(request, status));
}
FROM_FORTRAN(Wait);

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
    int is_outer = enter();
    for (int i = 0; is_outer && i < n; i++)
        waited(requests[i]);
    return leave(NEXT(Waitall)(n, requests, statuses));
}
FROM_FORTRAN(Waitall);

int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = NEXT(Waitany)(n, requests, index, status);
    waited_some(is_outer, before, *index == MPI_UNDEFINED ? 0 : 1, index);
    return leave(result);
}
FROM_FORTRAN(Waitany);

int MPI_Waitsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = NEXT(Waitsome)(n, requests, n_done, indices, statuses);
    waited_some(is_outer, before, *n_done, indices);
    return leave(result);
}
FROM_FORTRAN(Waitsome);

/* ---- tests ---- */

static int tested(int is_outer, int is_done, int result)
{
    return is_done || !is_outer ? leave(result) : leave_unseen(result);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    int is_outer = enter();
    MPI_Request before = *request;
    int result = NEXT(Test)(request, flag, status);
    if (is_outer && *flag)
        waited(before);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Test);

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    int is_outer = enter(), result = NEXT(Request_get_status)(request, flag, status);
    if (is_outer && *flag)
        waited(request);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Request_get_status);

int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = NEXT(Testall)(n, requests, flag, statuses);
    waited_some(is_outer, before, *flag ? n : 0, NULL);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Testall);

int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = NEXT(Testany)(n, requests, index, flag, status);
    waited_some(is_outer, before, *flag && *index != MPI_UNDEFINED, index);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Testany);

int MPI_Testsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = NEXT(Testsome)(n, requests, n_done, indices, statuses);
    int is_done = *n_done != MPI_UNDEFINED && *n_done > 0;
    waited_some(is_outer, before, is_done ? *n_done : 0, indices);
    return tested(is_outer, is_done, result);
}
FROM_FORTRAN(Testsome);
