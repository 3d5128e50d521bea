/* Rows of a recording, the clock of what is computed between them, and what is left out. Every
 * wrapper begins with enter() and ends with leave(), and calls the library's own function as
 * NEXT(name).
 */

/* Codes of steps, as in workloads/steps.py. */
enum step {
    SEND, RECEIVE, START_SEND, START_RECEIVE, COMPUTE = 5, BROADCAST = 9, REDUCE, ALL_REDUCE,
    BARRIER, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, WAIT = 22
};

#define ANY (-1)
/* In place of MPI_PROC_NULL, whose number some libraries share with ANY. */
#define NOBODY (-99)

static FILE *out;
static clockid_t clock_id = CLOCK_MONOTONIC;
/* When the program's last computation began, and its length while a call is under way. */
static long long computed_since, computed_ns;
static int n_ranks, my_rank, depth;

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

/* Bindings of Fortran call the library in C, Open MPI's by its PMPI names, MPICH's by both. So a
 * wrapper has both names, and calls made while another is under way are the library's. */
#define FROM_FORTRAN(name)                                                                         \
    extern __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)))

/* ---- rows ---- */

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(clock_id, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The first row of a call has what was computed before it. */
static void row(enum step step, int peer, long long bytes, int tag, int number)
{
    if (out)
        fprintf(out, "%d %d %lld %d %d %lld\n", (int)step, peer, bytes, tag, number, computed_ns);
    computed_ns = 0;
}

/* A library may call itself: only the outermost call is the program's. */
static int enter(void)
{
    if (depth++)
        return 0;
    computed_ns = now_ns() - computed_since;
    return 1;
}

static int leave(int result)
{
    if (--depth == 0)
        computed_since = now_ns() - computed_ns;
    return result;
}

/* Ends a call that found nothing: it is part of the program's computation. */
static int leave_unseen(int result)
{
    depth--;
    return result;
}

/* ---- what is left out ---- */

static struct omission {
    char name[80];
    long long n_times;
    /* Whether the rest can be played without it. */
    int is_played;
} omissions[128];
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
