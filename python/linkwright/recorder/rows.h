/* Rows of a recording, the clock of what is computed between them, and what is left out. Every
 * wrapper begins with enter(), calls the library's own function as CALL(name, ...) and ends with
 * leave(). Between enter() and leave() one thread at a time writes, except within CALL.
 */

/* Codes of steps, as in workloads/steps.py, and those that only recordings have. */
enum step {
    SEND, RECEIVE, START_SEND, START_RECEIVE, COMPUTE = 5, MARK, BROADCAST = 9, REDUCE, ALL_REDUCE,
    BARRIER, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, WAIT = 22, STREAM = 24, SIGNAL, WAIT_FOR,
    SYNC_SEND, START_SYNC_SEND, REDUCE_SCATTER = 30,
    /* The operation last started under this number never took place. */
    CANCELLED = 99
};

#define ANY (-1)
/* Processor of a stream that shares that of its rank. */
#define OF_PROCESS (-1)
/* In place of MPI_PROC_NULL, whose number some libraries share with ANY. */
#define NOBODY (-99)

static FILE *out;
static int n_ranks, my_rank;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A thread's call under way. */
static _Thread_local struct call {
    int depth, number;
    /* A blocking call beside calls of other threads: its place among requests plus 1. */
    int waits_for;
    /* The tag of the message that a blocking receive with any tag took, plus 1. */
    int found_tag;
    const char *collective;
} call;

/* ---- the library behind a wrapper ---- */

static void *next_named(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "recorder: no %s behind it: link MPI as a shared library\n", name);
        abort();
    }
    return found;
}

#define NEXT(name)                                                                                 \
    (__extension__({                                                                               \
        static __typeof__(&PMPI_##name) next;                                                      \
        if (!next)                                                                                 \
            next = (__typeof__(&PMPI_##name))next_named("PMPI_" #name);                            \
        next;                                                                                      \
    }))

/* The library's own function, while other threads may call. */
#define CALL(name, ...)                                                                            \
    (__extension__({                                                                               \
        int called;                                                                                \
        let_go();                                                                                  \
        called = NEXT(name)(__VA_ARGS__);                                                         \
        take_up();                                                                                 \
        called;                                                                                    \
    }))

static void let_go(void)
{
    if (call.depth == 1)
        pthread_mutex_unlock(&lock);
}

static void take_up(void)
{
    if (call.depth == 1)
        pthread_mutex_lock(&lock);
}

/* Bindings of Fortran call the library in C, Open MPI's by its PMPI names, MPICH's by both. So a
 * wrapper has both names, and calls made while another is under way are the library's. */
#define FROM_FORTRAN(name) FROM_FORTRAN_(name)
#define FROM_FORTRAN_(name)                                                                        \
    extern __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)))

/* ---- what is left out ---- */

static struct omission {
    char name[80];
    long long n_times;
    /* Whether the rest can be played without it. */
    int is_played;
} omissions[256];
static int n_omissions;

static void omitted(const char *what, const char *more, int is_played)
{
    char name[sizeof omissions[0].name];
    int found = 0;

    snprintf(name, sizeof name, "%s%s", what, more);
    while (found < n_omissions && strcmp(omissions[found].name, name))
        found++;
    if (found == (int)(sizeof omissions / sizeof *omissions))
        found--;
    if (found == n_omissions) {
        strcpy(omissions[n_omissions++].name, name);
        omissions[found].is_played = is_played;
    }
    omissions[found].n_times++;
}

static void left_out(const char *what)
{
    omitted(what, "", 0);
}

static void tell(FILE *file, const char *before, const struct omission *one, const char *after)
{
    fprintf(file, "%s%s, %lld time%s%s", before, one->name, one->n_times,
            one->n_times == 1 ? "" : "s", after);
}

/* No recording with a line that begins with "!" is played. */
static void write_omissions(void)
{
    for (int i = 0; out && i < n_omissions; i++)
        tell(out, omissions[i].is_played ? "# takes no time: " : "! ", &omissions[i], "\n");
}

/* The first rank that left something out says so for all. */
static void tell_omissions(void)
{
    int mine = n_omissions ? my_rank : n_ranks, first;
    PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; first == my_rank && i < n_omissions; i++) {
        fprintf(stderr, "recorder: rank %d", my_rank);
        tell(stderr, " called ", &omissions[i],
             omissions[i].is_played ? "; when played it takes no time\n"
                                    : "; it is not recorded, and the recording not played\n");
    }
}

/* ---- the clock: a rank computes while any of its threads is outside a call ---- */

static clockid_t clock_id = CLOCK_MONOTONIC;
/* The last beginning or end of a call, and what was computed since the last row. */
static long long last_ns, computed_ns;
static int n_threads, n_outside, n_in_collectives;
static pthread_key_t thread_end;

static long long time_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void pass_time(int is_computed)
{
    long long now = time_of(clock_id);
    computed_ns += is_computed ? now - last_ns : 0;
    last_ns = now;
}

static void end_thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pass_time(n_outside-- > 0);
    pthread_mutex_unlock(&lock);
}

/* Before its first call a thread has computed for as long as it has used a processor. */
static void meet_thread(void)
{
    long long own = time_of(CLOCK_THREAD_CPUTIME_ID), passed = time_of(clock_id) - last_ns;
    computed_ns += n_outside > 0 || !n_threads ? 0 : own < passed ? own : passed;
    last_ns += n_outside > 0 ? 0 : passed;
    if (!n_threads)
        pthread_key_create(&thread_end, end_thread);
    call.number = ++n_threads;
    pthread_setspecific(thread_end, &call);
    n_outside++;
}

/* A library may call itself: only the outermost call is the program's. */
static int enter(void)
{
    if (call.depth++)
        return 0;
    pthread_mutex_lock(&lock);
    if (!call.number)
        meet_thread();
    pass_time(n_outside-- > 0);
    return 1;
}

/* ---- rows ---- */

static struct row {
    enum step step;
    int peer, tag, number, communicator;
    long long bytes, computed_ns;
} last;
/* The call of the last row while it blocks, and whether there is a last row. */
static struct call *blocked;
static int has_last, n_looks;

static int take_place(void);
static void end_wait(int place, int found_tag);

static void write_last(void)
{
    if (has_last && out)
        fprintf(out, "%d %d %lld %d %d %lld %d\n", (int)last.step, last.peer, last.bytes, last.tag,
                last.number, last.computed_ns, last.communicator);
    has_last = 0;
}

/* A call that blocks one thread beside calls of another is a start where it begins and a wait where
 * it ends. */
static void part_from_blocked(void)
{
    int place;
    if (!has_last || !blocked || blocked == &call)
        return;
    place = take_place();
    last.step = last.step == SEND        ? START_SEND
                : last.step == SYNC_SEND ? START_SYNC_SEND
                                         : START_RECEIVE;
    last.number = blocked->waits_for = place + 1;
    blocked = NULL;
}

/* The first row of a call has what was computed before it. */
static void put(enum step step, int peer, long long bytes, int tag, int number, int communicator)
{
    int n_others = n_in_collectives - (call.collective != NULL);
    if (n_others > 0)
        left_out("a collective operation beside calls of another thread");
    part_from_blocked();
    write_last();
    last = (struct row){step, peer, tag, number, communicator, bytes, computed_ns};
    has_last = 1;
    blocked = NULL;
    computed_ns = n_looks = 0;
}

/* Rows that are no messages. */
static void row(enum step step, int number)
{
    put(step, 0, 0, 0, number, 0);
}

/* The row of a call that returns when its message is sent or received. */
static void blocking_row(enum step step, int peer, long long bytes, int tag, int communicator)
{
    put(step, peer, bytes, tag, 0, communicator);
    blocked = &call;
}

/* The rows of a collective are written: those of other threads must not follow until it returns. */
static void enter_collective(const char *name)
{
    n_in_collectives += call.collective == NULL;
    call.collective = name;
}

/* Takes the last row back: its call has failed. */
static void drop_last(void)
{
    computed_ns += last.computed_ns;
    has_last = 0;
    blocked = NULL;
}

static int leave(int result)
{
    if (call.depth == 1) {
        pass_time(n_outside++ > 0);
        if (call.waits_for)
            end_wait(call.waits_for - 1, call.found_tag);
        if (blocked == &call)
            blocked = NULL;
        n_in_collectives -= call.collective != NULL;
        call.waits_for = call.found_tag = 0;
        call.collective = NULL;
        last_ns = time_of(clock_id);
        pthread_mutex_unlock(&lock);
    }
    call.depth--;
    return result;
}

/* Ends a call that found nothing: it is part of the program's computation. */
static int leave_unseen(int result)
{
    if (call.depth == 1) {
        pass_time(1);
        n_outside++;
        pthread_mutex_unlock(&lock);
    }
    call.depth--;
    return result;
}
