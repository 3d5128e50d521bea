/* The file of a rank, from MPI_Init to MPI_Finalize. A rank that cannot write says so, and its
 * program runs on.
 */

static void make_folders(char *path)
{
    for (char *end = path + 1; (end = strchr(end, '/')); end++) {
        *end = 0;
        mkdir(path, 0777);
        *end = '/';
    }
}

/* Ranks of programs that others start write beside each other: the first of them finds the name. */
static void own_folder(const char *folder, char name[], size_t most)
{
    MPI_Comm starter;
    int length = snprintf(name, most, "%s/", folder), is_new = 0;

    PMPI_Comm_get_parent(&starter);
    if (starter == MPI_COMM_NULL)
        return;
    make_folders(name);
    for (int i = 1; my_rank == 0 && !is_new && i < 10000; i++) {
        snprintf(name + length, most - length, "spawned-%d", i);
        is_new = !mkdir(name, 0777) || errno != EEXIST;
    }
    PMPI_Bcast(name, (int)most, MPI_CHAR, 0, MPI_COMM_WORLD);
    strncat(name, "/", most - strlen(name) - 1);
}

/* All files of a run have one name of it. */
static long long name_of_run(void)
{
    long long name = time_of(CLOCK_REALTIME) / 1000000000 * 10000000 + getpid();
    PMPI_Bcast(&name, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    return name;
}

static void open_at(const char *folder, int rank, int n, long long run)
{
    char name[4096];
    snprintf(name, sizeof name, "%srank-%d.txt", folder, rank);
    make_folders(name);
    out = fopen(name, "w");
    if (!out) {
        fprintf(stderr, "recorder: rank %d cannot write %s: %s; it runs without being recorded\n",
                rank, name, strerror(errno));
        return;
    }
    setvbuf(out, NULL, _IOFBF, 1 << 20);
    fprintf(out, "# linkwright recording 2, rank %d of %d\n# run %lld\n", rank, n, run);
    fprintf(out, "# step peer bytes tag number computed_ns communicator\n");
}

static const char *asked_folder(void)
{
    const char *folder = getenv("LINKWRIGHT_RECORDING");
    return folder && *folder ? folder : "recording";
}

static void open_file(void)
{
    const char *clock_name = getenv("LINKWRIGHT_CLOCK");
    char folder[4000];

    if (clock_name && !strcmp(clock_name, "cpu"))
        clock_id = CLOCK_PROCESS_CPUTIME_ID;
    PMPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    own_folder(asked_folder(), folder, sizeof folder);
    open_at(folder, my_rank, n_ranks, name_of_run());
    define_first();
    began_ns = time_of(CLOCK_MONOTONIC);
    computed_ns = 0;
}

static void close_file(int is_complete)
{
    int is_lost;
    write_last();
    write_omissions();
    if (!out)
        return;
    if (is_complete)
        fputs("# end\n", out);
    is_lost = ferror(out);
    if (fclose(out) || is_lost)
        fprintf(stderr, "recorder: rank %d has not written all: %s; its recording is incomplete\n",
                my_rank, strerror(errno));
    out = NULL;
}

int MPI_Init(int *argc, char ***argv)
{
    int is_outer = enter(), result = CALL(Init, argc, argv);
    if (is_outer && result == MPI_SUCCESS)
        open_file();
    return leave(result);
}
FROM_FORTRAN(Init);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int is_outer = enter(), result = CALL(Init_thread, argc, argv, required, provided);
    if (is_outer && result == MPI_SUCCESS)
        open_file();
    return leave(result);
}
FROM_FORTRAN(Init_thread);

int MPI_Finalize(void)
{
    if (enter()) {
        row(COMPUTE, 0);
        wait_for_all();
        close_file(1);
        communicator_key = MPI_KEYVAL_INVALID;
        tell_omissions();
    }
    return leave(CALL(Finalize));
}
FROM_FORTRAN(Finalize);

int MPI_Abort(MPI_Comm comm, int code)
{
    if (enter()) {
        left_out("MPI_Abort");
        close_file(0);
    }
    return leave(CALL(Abort, comm, code));
}
FROM_FORTRAN(Abort);

#if MPI_VERSION >= 4
static int in_environment(const char *suffix)
{
    static const char *const names[] = {"PMI_%s", "OMPI_COMM_WORLD_%s"};
    char name[64];
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, names[i], suffix);
        if (getenv(name))
            return atoi(getenv(name));
    }
    return 0;
}

/* A program of sessions alone has no MPI_COMM_WORLD: its files have nothing but that. */
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    if (enter()) {
        left_out("MPI_Session_init");
        if (!out && communicator_key == MPI_KEYVAL_INVALID) {
            char folder[4000];
            snprintf(folder, sizeof folder, "%s/", asked_folder());
            open_at(folder, in_environment("RANK"), in_environment("SIZE"), 0);
            close_file(1);
            fputs("recorder: MPI_Session_init: sessions are not recorded\n", stderr);
        }
    }
    return leave(CALL(Session_init, info, handler, session));
}
FROM_FORTRAN(Session_init);
#endif
