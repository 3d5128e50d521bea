/* Requests: what is under way, what is prepared to be started again and again, and the calls that
 * wait or ask. What a call has completed is waited for in the recording.
 */

/* The number of a request is its place plus 1. */
static struct under_way {
    MPI_Request request;
    int is_taken, is_receive, may_be_cancelled;
    /* A receive with any tag: whether its status is of use, and its message's tag plus 1. */
    int is_wild, found_tag;
    /* Whether it is a buffered message, which is sent. */
    int is_sent;
    /* Whether a stream of its own does the work (nonblocking.h). */
    int is_aside;
    /* A duplicate that is usable once this is over. */
    MPI_Comm *comm;
    struct communicator *made;
} *under_way;
/* Requests whose status is needed: those that may be cancelled, and receives with any tag. */
static int n_places, n_statuses, n_buffered;

/* The number of buffered messages: below the numbers of operations within a call. */
#define BUFFERED_NUMBER ((1 << 30) - 1)

/* These keep their handle when they are over. */
static struct prepared {
    MPI_Request request;
    enum step step;
    int peer, tag, communicator, is_buffered;
    long long bytes;
    /* The collective that is started instead of a message; it keeps its blocks. */
    struct collective one;
    /* A message that is sent when all of its parts are ready (partitions.h). */
    int n_parts, n_ready, place;
} *prepared;
static int n_prepared;

static MPI_Request handle(const MPI_Request *request)
{
    return request ? *request : MPI_REQUEST_NULL;
}

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

/* After the last row of its number: the row may need a place for a blocked call. */
static void give_back(int place)
{
    n_statuses -= under_way[place].is_wild + under_way[place].may_be_cancelled;
    under_way[place].is_taken = 0;
}

/* A start that has failed never took place. */
static int hold(int place, const MPI_Request *request, int result)
{
    if (place >= 0 && result == MPI_SUCCESS)
        under_way[place].request = *request;
    else if (place >= 0) {
        row(CANCELLED, place + 1);
        give_back(place);
    }
    return result;
}

static int start(enum step step, int peer, long long bytes, int tag, int communicator)
{
    int place = -1;
    if (peer != NOBODY) {
        place = take_place();
        under_way[place].is_receive = step == START_RECEIVE;
        n_statuses += under_way[place].is_wild = step == START_RECEIVE && tag == ANY;
        put(step, peer, bytes, tag, place + 1, communicator);
    }
    return place;
}

static int start_standard(int peer, long long bytes, int tag, int communicator)
{
    return start(START_SEND, peer, bytes, tag, communicator);
}

static int start_synchronous(int peer, long long bytes, int tag, int communicator)
{
    return start(START_SYNC_SEND, peer, bytes, tag, communicator);
}

/* A buffered message is sent for the program at once; the end of the buffer waits for it. */
static int start_buffered(int peer, long long bytes, int tag, int communicator)
{
    int place = -1;
    if (peer != NOBODY) {
        place = take_place();
        under_way[place].is_sent = 1;
        n_buffered++;
        put(START_SEND, peer, bytes, tag, BUFFERED_NUMBER, communicator);
    }
    return place;
}

static void wait_for_buffered(void)
{
    if (n_buffered)
        row(WAIT, BUFFERED_NUMBER);
    n_buffered = 0;
}

/* Events of the stream of a place: it may begin, what it can do at once is done, all is. */
static int start_of_stream(int place)
{
    return 3 * place;
}

static int return_to_call(int place)
{
    return 3 * place + 1;
}

static int end_of_stream(int place)
{
    return 3 * place + 2;
}

/* The wait for a receive with any tag says which it was. */
static void wait_at(int place)
{
    struct under_way one = under_way[place];
    if (one.is_aside)
        row(WAIT_FOR, end_of_stream(place));
    else if (!one.is_sent)
        put(WAIT, 0, 0, one.found_tag, place + 1, 0);
    give_back(place);
    if (one.comm && *one.comm != MPI_COMM_NULL)
        PMPI_Comm_set_attr(*one.comm, communicator_key, one.made);
}

static void end_wait(int place, int found_tag)
{
    under_way[place].found_tag = found_tag;
    wait_at(place);
}

static int place_of(MPI_Request request)
{
    for (int place = 0; request != MPI_REQUEST_NULL && place < n_places; place++)
        if (under_way[place].is_taken && under_way[place].request == request)
            return place;
    return -1;
}

static void never_took_place(int place)
{
    row(CANCELLED, place + 1);
    give_back(place);
}

/* Records that a request has been waited for with success. Libraries give one handle to all that is
 * over at once; which of those it is makes no difference. */
static void waited(MPI_Request request, const MPI_Status *status)
{
    int place = place_of(request), is_cancelled = 0;
    if (place >= 0 && under_way[place].may_be_cancelled && status)
        PMPI_Test_cancelled(status, &is_cancelled);
    if (is_cancelled)
        never_took_place(place);
    else if (place >= 0) {
        under_way[place].found_tag = under_way[place].is_wild && status ? status->MPI_TAG + 1 : 0;
        wait_at(place);
    }
}

/* Requests that the program never waited for are over at its end. */
static void wait_for_all(void)
{
    for (int place = 0; place < n_places; place++)
        if (under_way[place].is_taken)
            wait_at(place);
    wait_for_buffered();
}

int MPI_Cancel(MPI_Request *request)
{
    if (enter()) {
        int place = place_of(handle(request));
        if (place >= 0 && !under_way[place].may_be_cancelled)
            n_statuses += under_way[place].may_be_cancelled = 1;
    }
    return leave(CALL(Cancel, request));
}
FROM_FORTRAN(Cancel);

/* ---- duplicates of communicators that are made meanwhile ---- */

static int begin_duplicate(int is_outer, MPI_Comm comm, MPI_Comm *copy, const char *name)
{
    const struct communicator *of = is_outer ? communicator_of(comm) : NULL;
    int place = -1;
    if (of) {
        struct communicator *one = enlarged(NULL, 1, sizeof *one);
        omitted(name, "", 1);
        place = take_place();
        *one = *of;
        define(one, of->number, 0);
        under_way[place].made = one;
        under_way[place].comm = copy;
    }
    return place;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    int place = begin_duplicate(enter(), comm, copy, "MPI_Comm_idup");
    return leave(hold(place, request, CALL(Comm_idup, comm, copy, request)));
}
FROM_FORTRAN(Comm_idup);

#if MPI_VERSION >= 4
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy, MPI_Request *request)
{
    int place = begin_duplicate(enter(), comm, copy, "MPI_Comm_idup_with_info");
    return leave(hold(place, request, CALL(Comm_idup_with_info, comm, info, copy, request)));
}
FROM_FORTRAN(Comm_idup_with_info);
#endif

/* ---- prepared requests ---- */

static struct prepared *prepare(MPI_Request request)
{
    prepared = enlarged(prepared, n_prepared + 1, sizeof *prepared);
    prepared[n_prepared] = (struct prepared){.request = request};
    return &prepared[n_prepared++];
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
    struct prepared *one = prepared_of(request);
    if (!one)
        left_out("MPI_Start of what no recorded call has prepared");
    else if (one->n_parts && one->peer != NOBODY) {
        one->n_ready = 0;
        one->place = take_place();
        hold(one->place, &request, MPI_SUCCESS);
    } else if (one->one.name)
        hold(begin(one->one), &request, MPI_SUCCESS);
    else if (one->is_buffered)
        hold(start_buffered(one->peer, one->bytes, one->tag, one->communicator), &request,
             MPI_SUCCESS);
    else
        hold(start(one->step, one->peer, one->bytes, one->tag, one->communicator), &request,
             MPI_SUCCESS);
}

int MPI_Start(MPI_Request *request)
{
    if (enter())
        start_prepared(handle(request));
    return leave(CALL(Start, request));
}
FROM_FORTRAN(Start);

int MPI_Startall(int n, MPI_Request requests[])
{
    int is_outer = enter();
    for (int i = 0; is_outer && i < n; i++)
        start_prepared(requests[i]);
    return leave(CALL(Startall, n, requests));
}
FROM_FORTRAN(Startall);

/* A request under way continues, and no call can wait for it any more. A receive that was cancelled
 * before is over: no call says whether it took a message. */
int MPI_Request_free(MPI_Request *request)
{
    if (enter()) {
        int place = place_of(handle(request));
        struct prepared *one = prepared_of(handle(request));
        if (place >= 0 && under_way[place].is_receive && under_way[place].may_be_cancelled)
            never_took_place(place);
        else if (place >= 0)
            under_way[place].request = MPI_REQUEST_NULL;
        if (one) {
            free(one->one.blocks);
            *one = prepared[--n_prepared];
        }
    }
    return leave(CALL(Request_free, request));
}
FROM_FORTRAN(Request_free);

/* ---- waits ---- */

static MPI_Request *copy_of(int n, const MPI_Request *requests)
{
    MPI_Request *copy = enlarged(NULL, n > 0 ? n : 1, sizeof *copy);
    if (n > 0 && requests)
        memcpy(copy, requests, n * sizeof *copy);
    return copy;
}

/* Only the status of a request says whether it was cancelled, and the tag. */
static MPI_Status *statuses_for(int n, MPI_Status *given, MPI_Status **own)
{
    *own = given == MPI_STATUSES_IGNORE && n_statuses ? enlarged(NULL, n + 1, sizeof **own) : NULL;
    return *own ? *own : given;
}

static void waited_some(int is_outer, MPI_Request *before, int n, const int *indices,
                        const MPI_Status *statuses, MPI_Status *own)
{
    int have_statuses = statuses != MPI_STATUSES_IGNORE;
    for (int i = 0; is_outer && i < n && n != MPI_UNDEFINED; i++)
        waited(before[indices ? indices[i] : i], have_statuses ? &statuses[i] : NULL);
    free(before);
    free(own);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = handle(request);
    int is_outer = enter(), result = CALL(Wait, request, found);
    if (is_outer)
        waited(before, found);
    return leave(result);
}
FROM_FORTRAN(Wait);

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status given[])
{
    int is_outer = enter(), result;
    MPI_Status *own, *statuses = statuses_for(n, given, &own);
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Waitall, n, requests, statuses);
    waited_some(is_outer, before, n, NULL, statuses, own);
    return leave(result);
}
FROM_FORTRAN(Waitall);

int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result;
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Waitany, n, requests, index, found);
    waited_some(is_outer, before, *index == MPI_UNDEFINED ? 0 : 1, index, found, NULL);
    return leave(result);
}
FROM_FORTRAN(Waitany);

int MPI_Waitsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status given[])
{
    int is_outer = enter(), result;
    MPI_Status *own, *statuses = statuses_for(n, given, &own);
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Waitsome, n, requests, n_done, indices, statuses);
    waited_some(is_outer, before, *n_done, indices, statuses, own);
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
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = handle(request);
    int is_outer = enter(), result = CALL(Test, request, flag, found);
    if (is_outer && *flag)
        waited(before, found);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Test);

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result = CALL(Request_get_status, request, flag, found);
    if (is_outer && *flag)
        waited(request, found);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Request_get_status);

int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status given[])
{
    int is_outer = enter(), result;
    MPI_Status *own, *statuses = statuses_for(n, given, &own);
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Testall, n, requests, flag, statuses);
    waited_some(is_outer, before, *flag ? n : 0, NULL, statuses, own);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Testall);

int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result;
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Testany, n, requests, index, flag, found);
    waited_some(is_outer, before, *flag && *index != MPI_UNDEFINED, index, found, NULL);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Testany);

int MPI_Testsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status given[])
{
    int is_outer = enter(), result, is_done;
    MPI_Status *own, *statuses = statuses_for(n, given, &own);
    MPI_Request *before = copy_of(n, requests);
    result = CALL(Testsome, n, requests, n_done, indices, statuses);
    is_done = *n_done != MPI_UNDEFINED && *n_done > 0;
    waited_some(is_outer, before, is_done ? *n_done : 0, indices, statuses, own);
    return tested(is_outer, is_done, result);
}
FROM_FORTRAN(Testsome);
