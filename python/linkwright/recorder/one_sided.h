/* One-sided operations, as messages between the rank that calls and the library of the target: data
 * or a request to the target, and data or an acknowledgement back. Only the caller's messages have
 * rows; those of the target follow from them when a recording is read, since it makes no call.
 *
 * Completion at a target costs a round trip after the operations, and only where there were some.
 * Locks are requests too, with the window in the column of the communicator. Windows of memory that
 * ranks share move data without a call and are left out. Calls with
 * counts are in one_sided_calls.h, locks in locks.h.
 */

/* To the library of a target, and back. */
#define REQUEST_TAG (OWN_TAG - 3)
#define REPLY_TAG (OWN_TAG - 4)
/* Between callers: a window is exposed, and the operations on it are complete. */
#define EXPOSED_TAG (OWN_TAG - 5)
#define COMPLETE_TAG (OWN_TAG - 6)
/* Requests that wait for a lock of the target, and those that end it. */
#define EXCLUSIVE_TAG (OWN_TAG - 7)
#define SHARED_TAG (OWN_TAG - 8)
#define UNLOCK_TAG (OWN_TAG - 9)

static struct window {
    /* Numbered as a communicator of its own, so that all files have one name of it. */
    struct communicator of;
    struct members all;
    /* Operations under way have one number. */
    int number, locks_all;
    /* By rank: operations that are not known to be complete, and a lock. */
    struct target {
        int is_touched, is_locked;
    } *at;
    struct members exposed_to, accessed;
} *no_window;
static int window_key = MPI_KEYVAL_INVALID;

static struct window *window_of(MPI_Win win)
{
    struct window *found;
    int is_found = 0;
    if (window_key != MPI_KEYVAL_INVALID && win != MPI_WIN_NULL)
        PMPI_Win_get_attr(win, window_key, &found, &is_found);
    return is_found ? found : no_window;
}

static void meet_all(const struct window *one, const char *name)
{
    carried_out_in(&one->of, BARRIER, 0, 0);
    enter_collective(name);
}

/* Making and freeing windows is collective. */
static int window_made(int is_outer, int result, MPI_Comm comm, MPI_Win win, const char *name)
{
    const struct communicator *of = is_outer ? communicator_of(comm) : NULL;
    if (of && result == MPI_SUCCESS) {
        struct window *made = enlarged(NULL, 1, sizeof *made);
        *made = (struct window){.of = *of, .all = of->own, .number = take_place() + 1};
        made->at = enlarged(NULL, of->own.n + 1, sizeof *made->at);
        memset(made->at, 0, (of->own.n + 1) * sizeof *made->at);
        define(&made->of, of->number, 0);
        if (window_key == MPI_KEYVAL_INVALID)
            PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &window_key, NULL);
        PMPI_Win_set_attr(win, window_key, made);
        meet_all(made, name);
    }
    return leave(result);
}

static int target_of(const struct window *one, int rank)
{
    int is_rank = rank >= 0 && rank < one->all.n;
    return is_rank && one->all.world[rank] != MPI_UNDEFINED ? one->all.world[rank] : NOBODY;
}

/* ---- operations ---- */

/* A request to lock or unlock, or for an acknowledgement, and the reply. */
static void ask(const struct window *one, int rank, int tag)
{
    int target = target_of(one, rank);
    put(START_SEND, target, 0, tag, one->number, tag == REQUEST_TAG ? 0 : one->of.number);
    put(START_RECEIVE, target, 0, REPLY_TAG, one->number, 0);
}

/* The locks of MPI_Win_lock_all come with the first operation at a rank. */
static void lock_if_all(const struct window *one, int rank)
{
    if (!one->locks_all || one->at[rank].is_locked)
        return;
    ask(one, rank, SHARED_TAG);
    one->at[rank].is_locked = 1;
}

/* An operation sends bytes to the target and, unless `returned` is -1, gets bytes back. */
static void request(const struct window *one, int rank, long long sent, long long returned,
                    int number)
{
    int target = target_of(one, rank);
    if (target == NOBODY)
        return;
    lock_if_all(one, rank);
    put(START_SEND, target, sent, REQUEST_TAG, number, 0);
    if (returned >= 0)
        put(START_RECEIVE, target, returned, REPLY_TAG, number, 0);
    /* A reply completes all before it. */
    one->at[rank].is_touched = returned < 0 || number != one->number;
}

static void operate(MPI_Win win, int rank, long long sent, long long returned)
{
    const struct window *one = window_of(win);
    if (one)
        request(one, rank, sent, returned, one->number);
}

/* Returns the place of an operation that has a request of its own. */
static int begin_to_operate(MPI_Win win, int rank, long long sent, long long returned)
{
    const struct window *one = window_of(win);
    int place = one ? take_place() : -1;
    if (one)
        request(one, rank, sent, returned, place + 1);
    return place;
}

int MPI_Fetch_and_op(const void *a, void *b, MPI_Datatype t, int rank, MPI_Aint d, MPI_Op o,
                     MPI_Win win)
{
    if (enter())
        operate(win, rank, size_of(1, t), size_of(1, t));
    return leave(CALL(Fetch_and_op, a, b, t, rank, d, o, win));
}
FROM_FORTRAN(Fetch_and_op);

int MPI_Compare_and_swap(const void *a, const void *b, void *c, MPI_Datatype t, int rank,
                         MPI_Aint d, MPI_Win win)
{
    if (enter())
        operate(win, rank, 2 * size_of(1, t), size_of(1, t));
    return leave(CALL(Compare_and_swap, a, b, c, t, rank, d, win));
}
FROM_FORTRAN(Compare_and_swap);

/* ---- completion ---- */

static void finish_at(struct window *one, int rank)
{
    if (target_of(one, rank) == NOBODY || !one->at[rank].is_touched)
        return;
    ask(one, rank, REQUEST_TAG);
    one->at[rank].is_touched = 0;
}

static void complete_at(struct window *one, int rank)
{
    finish_at(one, rank);
    row(WAIT, one->number);
}

static void complete_everywhere(struct window *one)
{
    for (int rank = 0; rank < one->all.n; rank++)
        finish_at(one, rank);
    row(WAIT, one->number);
}

#define COMPLETING(name, done, parameters, ...)                                                    \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (enter()) {                                                                             \
            struct window *one = window_of(w);                                                     \
            if (one)                                                                               \
                done;                                                                              \
        }                                                                                          \
        return leave(CALL(name, __VA_ARGS__));                                                     \
    }                                                                                              \
    FROM_FORTRAN(name)

COMPLETING(Win_flush, complete_at(one, r), (int r, MPI_Win w), r, w);
COMPLETING(Win_flush_all, complete_everywhere(one), (MPI_Win w), w);
COMPLETING(Win_flush_local, row(WAIT, one->number), (int r, MPI_Win w), r, w);
COMPLETING(Win_flush_local_all, row(WAIT, one->number), (MPI_Win w), w);

static void fence(struct window *one)
{
    complete_everywhere(one);
    meet_all(one, "MPI_Win_fence");
}

COMPLETING(Win_fence, fence(one), (int a, MPI_Win w), a, w);

static void free_window(struct window *one)
{
    complete_everywhere(one);
    meet_all(one, "MPI_Win_free");
    give_back(one->number - 1);
    free(one->at);
    free(one);
}

int MPI_Win_free(MPI_Win *win)
{
    if (enter() && win && window_of(*win)) {
        struct window *one = window_of(*win);
        PMPI_Win_delete_attr(*win, window_key);
        free_window(one);
    }
    return leave(CALL(Win_free, win));
}
FROM_FORTRAN(Win_free);

/* ---- between groups ---- */

static void tell_all(const struct window *one, struct members ranks, int tag)
{
    for (int i = 0; i < ranks.n; i++)
        if (ranks.world[i] != MPI_UNDEFINED)
            put(START_SEND, ranks.world[i], 0, tag, one->number, 0);
}

static void hear_all(struct members ranks, int tag)
{
    for (int i = 0; i < ranks.n; i++)
        if (ranks.world[i] != MPI_UNDEFINED)
            put(RECEIVE, ranks.world[i], 0, tag, 0, 0);
}

static void remember(struct members *ranks, MPI_Group group)
{
    free(ranks->world);
    *ranks = members_of(group);
}

static void expose(struct window *one, MPI_Group group)
{
    remember(&one->exposed_to, group);
    tell_all(one, one->exposed_to, EXPOSED_TAG);
}

COMPLETING(Win_post, expose(one, g), (MPI_Group g, int a, MPI_Win w), g, a, w);

static void access_them(struct window *one, MPI_Group group)
{
    remember(&one->accessed, group);
    hear_all(one->accessed, EXPOSED_TAG);
}

COMPLETING(Win_start, access_them(one, g), (MPI_Group g, int a, MPI_Win w), g, a, w);

static void end_access(struct window *one)
{
    complete_everywhere(one);
    tell_all(one, one->accessed, COMPLETE_TAG);
    row(WAIT, one->number);
}

COMPLETING(Win_complete, end_access(one), (MPI_Win w), w);

static void end_exposure(struct window *one)
{
    row(WAIT, one->number);
    hear_all(one->exposed_to, COMPLETE_TAG);
}

int MPI_Win_wait(MPI_Win win)
{
    int is_outer = enter(), result = CALL(Win_wait, win);
    if (is_outer && window_of(win))
        end_exposure(window_of(win));
    return leave(result);
}
FROM_FORTRAN(Win_wait);

int MPI_Win_test(MPI_Win win, int *flag)
{
    int is_outer = enter(), result = CALL(Win_test, win, flag);
    if (is_outer && *flag && window_of(win))
        end_exposure(window_of(win));
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Win_test);

int MPI_Win_create_dynamic(MPI_Info i, MPI_Comm comm, MPI_Win *win)
{
    int is_outer = enter(), result = CALL(Win_create_dynamic, i, comm, win);
    return window_made(is_outer, result, comm, *win, "MPI_Win_create_dynamic");
}
FROM_FORTRAN(Win_create_dynamic);
