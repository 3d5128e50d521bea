/* Writes down what an MPI program does, call by call, through the profiling interface of MPI.
 *
 *   mpicc -O2 -shared -fPIC -o librecorder.so recorder.c
 *   mpirun -x LD_PRELOAD=./librecorder.so -x LINKWRIGHT_RECORDING=recording -np 4 ./program
 *
 * Each rank writes rank-<n>.txt into the folder: one row per call, with the code of its step, the
 * other end or the root, bytes, tag, number of the request, and the nanoseconds computed before it.
 * Collectives stand as they are; those whose blocks differ are written as messages. What cannot be
 * written down leaves a line that begins with "!", and no recording with such a line is played.
 * LINKWRIGHT_CLOCK=cpu counts processor time instead of real time, for ranks that share cores.
 * Long because every call of MPI has its wrapper in the one file that is compiled.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Codes of steps, as in workloads/steps.py. */
enum step {
    SEND, RECEIVE, START_SEND, START_RECEIVE, COMPUTE = 5, BROADCAST = 9, REDUCE, ALL_REDUCE,
    BARRIER, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, WAIT = 22
};

/* Messages of collectives whose blocks differ: the largest tag, which programs leave alone. */
#define OWN_TAG 0x7fffffff
#define ANY (-1)
/* In place of MPI_PROC_NULL, whose number some libraries share with ANY. */
#define NOBODY (-99)

static FILE *out;
static clockid_t clock_id = CLOCK_MONOTONIC;
/* When the program's last computation began, and its length while a call is under way. */
static long long computed_since, computed_ns;
static int n_ranks, my_rank, depth;

/* Requests that are open; the number of one is its place plus 1. */
static MPI_Request *open_requests;
static int n_places;

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

static void left_out(const char *what)
{
    if (out)
        fprintf(out, "! %s\n", what);
}

/* ---- begin and end ---- */

static void open_file(void)
{
    const char *folder = getenv("LINKWRIGHT_RECORDING"), *clock_name = getenv("LINKWRIGHT_CLOCK");
    char name[4096];

    if (clock_name && !strcmp(clock_name, "cpu"))
        clock_id = CLOCK_PROCESS_CPUTIME_ID;
    PMPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (!folder)
        folder = "recording";
    snprintf(name, sizeof name, "%s/rank-%d.txt", folder, my_rank);
    if ((mkdir(folder, 0777) && errno != EEXIST) || !(out = fopen(name, "w"))) {
        fprintf(stderr, "recorder: %s cannot be written: %s; set LINKWRIGHT_RECORDING\n", name,
                strerror(errno));
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    setvbuf(out, NULL, _IOFBF, 1 << 20);
    fprintf(out, "# linkwright recording 1, rank %d of %d\n", my_rank, n_ranks);
    fprintf(out, "# step peer bytes tag number computed_ns\n");
    computed_since = now_ns();
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    open_file();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    /* One thread at a time may call: there is one recording of a rank. */
    int most = required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED;
    int result = PMPI_Init_thread(argc, argv, most, provided);
    open_file();
    return result;
}

/* ---- ranks and sizes ---- */

static long long size_of(long long count, MPI_Datatype type)
{
    int bytes;
    PMPI_Type_size(type, &bytes);
    return count * bytes;
}

static int world_rank(int rank, MPI_Comm comm)
{
    MPI_Group group, world;
    int found;

    if (rank == MPI_ANY_SOURCE)
        return ANY;
    if (comm == MPI_COMM_WORLD)
        return rank;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    if (found == MPI_UNDEFINED)
        left_out("a rank outside MPI_COMM_WORLD");
    return found;
}

/* Whether a collective is of all ranks in their order; others are not recorded. */
static int is_of_all(MPI_Comm comm, const char *name)
{
    int same;
    char text[200];

    if (comm == MPI_COMM_WORLD)
        return 1;
    PMPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
    if (same == MPI_IDENT || same == MPI_CONGRUENT)
        return 1;
    snprintf(text, sizeof text, "%s on a part of the ranks", name);
    left_out(text);
    return 0;
}

/* ---- requests ---- */

static int free_place(void)
{
    int place;
    for (place = 0; place < n_places; place++)
        if (open_requests[place] == MPI_REQUEST_NULL)
            return place;
    n_places = n_places ? 2 * n_places : 64;
    open_requests = realloc(open_requests, n_places * sizeof *open_requests);
    if (!open_requests)
        PMPI_Abort(MPI_COMM_WORLD, 1);
    for (int new = place; new < n_places; new++)
        open_requests[new] = MPI_REQUEST_NULL;
    return place;
}

/* Records that a request has been waited for with success. Libraries give one handle to all that is
 * over at once; which of those it is makes no difference. */
static void waited(MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        return;
    for (int place = 0; place < n_places; place++)
        if (open_requests[place] == request) {
            open_requests[place] = MPI_REQUEST_NULL;
            row(WAIT, 0, 0, 0, place + 1);
            return;
        }
}

int MPI_Finalize(void)
{
    enter();
    row(COMPUTE, 0, 0, 0, 0);
    /* What the program has never waited for is over here. */
    for (int place = 0; place < n_places; place++)
        waited(open_requests[place]);
    if (out && (fputs("# end\n", out) < 0 || fclose(out)))
        fprintf(stderr, "recorder: rank %d is not written whole: %s\n", my_rank, strerror(errno));
    out = NULL;
    return leave(PMPI_Finalize());
}

static int start(enum step step, int peer, long long bytes, int tag)
{
    int place = free_place();
    row(step, peer, bytes, tag, place + 1);
    /* Held until the call has given the request. */
    return place;
}

static int recorded_tag(int tag)
{
    return tag == MPI_ANY_TAG ? ANY : tag;
}

/* ---- messages ---- */

#define SENDING(name)                                                                              \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) \
    {                                                                                              \
        if (enter() && to != MPI_PROC_NULL)                                                        \
            row(SEND, world_rank(to, comm), size_of(count, type), tag, 0);                         \
        return leave(PMPI_##name(data, count, type, to, tag, comm));                               \
    }

SENDING(Send)
SENDING(Ssend)
SENDING(Rsend)
SENDING(Bsend)

#define START_SENDING(name)                                                                        \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                   MPI_Request *request)                                                           \
    {                                                                                              \
        int place = -1, result;                                                                    \
        if (enter() && to != MPI_PROC_NULL)                                                        \
            place = start(START_SEND, world_rank(to, comm), size_of(count, type), tag);            \
        result = PMPI_##name(data, count, type, to, tag, comm, request);                           \
        if (place >= 0)                                                                            \
            open_requests[place] = *request;                                                       \
        return leave(result);                                                                      \
    }

START_SENDING(Isend)
START_SENDING(Issend)
START_SENDING(Irsend)
START_SENDING(Ibsend)

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    if (enter() && from != MPI_PROC_NULL)
        row(RECEIVE, world_rank(from, comm), 0, recorded_tag(tag), 0);
    return leave(PMPI_Recv(data, count, type, from, tag, comm, status));
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int place = -1, result;
    if (enter() && from != MPI_PROC_NULL)
        place = start(START_RECEIVE, world_rank(from, comm), 0, recorded_tag(tag));
    result = PMPI_Irecv(data, count, type, from, tag, comm, request);
    if (place >= 0)
        open_requests[place] = *request;
    return leave(result);
}

/* Both ways at once: the receive is posted, the send follows, both are waited for. The numbers are
 * above those of requests. */
static void exchange(int to, long long bytes, int send_tag, int from, int receive_tag)
{
    const int number = 1 << 30;
    if (from != NOBODY)
        row(START_RECEIVE, from, 0, receive_tag, number);
    if (to != NOBODY)
        row(START_SEND, to, bytes, send_tag, number);
    row(WAIT, 0, 0, 0, number);
}

static int end_of(int rank, MPI_Comm comm)
{
    return rank == MPI_PROC_NULL ? NOBODY : world_rank(rank, comm);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int send_tag, void *into,
                 int into_count, MPI_Datatype into_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    if (enter())
        exchange(end_of(to, comm), size_of(count, type), send_tag, end_of(from, comm),
                 recorded_tag(receive_tag));
    return leave(PMPI_Sendrecv(data, count, type, to, send_tag, into, into_count, into_type, from,
                               receive_tag, comm, status));
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    if (enter())
        exchange(end_of(to, comm), size_of(count, type), send_tag, end_of(from, comm),
                 recorded_tag(receive_tag));
    return leave(PMPI_Sendrecv_replace(data, count, type, to, send_tag, from, receive_tag, comm,
                                       status));
}

/* ---- waits: what a call has completed is waited for in the recording ---- */

static MPI_Request *copy_of(int n, const MPI_Request *requests)
{
    MPI_Request *copy = malloc((n > 0 ? n : 1) * sizeof *copy);
    if (!copy)
        PMPI_Abort(MPI_COMM_WORLD, 1);
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
    int is_outer = enter();
    if (is_outer)
        waited(*request);
    return leave(PMPI_Wait(request, status));
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
    int is_outer = enter();
    for (int i = 0; is_outer && i < n; i++)
        waited(requests[i]);
    return leave(PMPI_Waitall(n, requests, statuses));
}

int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = PMPI_Waitany(n, requests, index, status);
    waited_some(is_outer, before, *index == MPI_UNDEFINED ? 0 : 1, index);
    return leave(result);
}

int MPI_Waitsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = PMPI_Waitsome(n, requests, n_done, indices, statuses);
    waited_some(is_outer, before, *n_done, indices);
    return leave(result);
}

/* Looks at a message that a receive will take; the wait for it is no computation. */
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    enter();
    return leave(PMPI_Probe(from, tag, comm, status));
}

/* A test that finds nothing is part of the program's computation. */
static int tested(int is_outer, int is_done, int result)
{
    if (is_done || !is_outer)
        return leave(result);
    depth--;
    return result;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    int is_outer = enter(), result;
    MPI_Request before = *request;
    result = PMPI_Test(request, flag, status);
    if (is_outer && *flag)
        waited(before);
    return tested(is_outer, *flag, result);
}

int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = PMPI_Testall(n, requests, flag, statuses);
    waited_some(is_outer, before, *flag ? n : 0, NULL);
    return tested(is_outer, *flag, result);
}

int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = PMPI_Testany(n, requests, index, flag, status);
    waited_some(is_outer, before, *flag && *index != MPI_UNDEFINED, index);
    return tested(is_outer, *flag, result);
}

int MPI_Testsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    int is_outer = enter();
    MPI_Request *before = copy_of(n, requests);
    int result = PMPI_Testsome(n, requests, n_done, indices, statuses);
    int is_done = *n_done != MPI_UNDEFINED && *n_done > 0;
    waited_some(is_outer, before, is_done ? *n_done : 0, indices);
    return tested(is_outer, is_done, result);
}

/* ---- collectives of equal blocks: the bytes are those of one rank or one block ---- */

static void collective(enum step step, int root, long long bytes, MPI_Comm comm, const char *name)
{
    if (is_of_all(comm, name))
        row(step, root, bytes, 0, 0);
}

int MPI_Barrier(MPI_Comm comm)
{
    if (enter())
        collective(BARRIER, 0, 0, comm, "MPI_Barrier");
    return leave(PMPI_Barrier(comm));
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (enter())
        collective(BROADCAST, root, size_of(count, type), comm, "MPI_Bcast");
    return leave(PMPI_Bcast(data, count, type, root, comm));
}

int MPI_Reduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    if (enter())
        collective(REDUCE, root, size_of(count, type), comm, "MPI_Reduce");
    return leave(PMPI_Reduce(data, into, count, type, op, root, comm));
}

int MPI_Allreduce(const void *data, void *into, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    if (enter())
        collective(ALL_REDUCE, 0, size_of(count, type), comm, "MPI_Allreduce");
    return leave(PMPI_Allreduce(data, into, count, type, op, comm));
}

/* Only what a rank receives is given at every rank: with MPI_IN_PLACE it does not send. */
int MPI_Allgather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                  MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter())
        collective(ALL_GATHER, 0, size_of(into_count, into_type), comm, "MPI_Allgather");
    return leave(PMPI_Allgather(data, count, type, into, into_count, into_type, comm));
}

int MPI_Alltoall(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                 MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter())
        collective(ALL_TO_ALL, 0, size_of(into_count, into_type), comm, "MPI_Alltoall");
    return leave(PMPI_Alltoall(data, count, type, into, into_count, into_type, comm));
}

int MPI_Gather(const void *data, int count, MPI_Datatype type, void *into, int into_count,
               MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        int is_root = world_rank(root, comm) == my_rank;
        long long bytes = is_root ? size_of(into_count, into_type) : size_of(count, type);
        collective(GATHER, root, bytes, comm, "MPI_Gather");
    }
    return leave(PMPI_Gather(data, count, type, into, into_count, into_type, root, comm));
}

int MPI_Scatter(const void *data, int count, MPI_Datatype type, void *into, int into_count,
                MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter()) {
        int is_root = world_rank(root, comm) == my_rank;
        long long bytes = is_root ? size_of(count, type) : size_of(into_count, into_type);
        collective(SCATTER, root, bytes, comm, "MPI_Scatter");
    }
    return leave(PMPI_Scatter(data, count, type, into, into_count, into_type, root, comm));
}

/* ---- collectives whose blocks differ: their messages, as MPICH 1.1 sends them ---- */

int MPI_Alltoallv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                  void *into, const int into_counts[], const int into_places[],
                  MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Alltoallv")) {
        const int number = 1 << 30;
        int in_place = data == MPI_IN_PLACE;
        for (int peer = 0; peer < n_ranks; peer++) {
            long long bytes =
                in_place ? size_of(into_counts[peer], into_type) : size_of(counts[peer], type);
            row(START_RECEIVE, peer, 0, OWN_TAG, number);
            row(START_SEND, peer, bytes, OWN_TAG, number);
        }
        row(WAIT, 0, 0, 0, number);
    }
    return leave(PMPI_Alltoallv(data, counts, places, type, into, into_counts, into_places,
                                into_type, comm));
}

int MPI_Gatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                const int places[], MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Gatherv")) {
        if (my_rank != root)
            row(SEND, root, size_of(count, type), OWN_TAG, 0);
        else
            for (int peer = 0; peer < n_ranks; peer++)
                if (peer != root)
                    row(RECEIVE, peer, 0, OWN_TAG, 0);
    }
    return leave(PMPI_Gatherv(data, count, type, into, counts, places, into_type, root, comm));
}

static void scatter_blocks(const int counts[], MPI_Datatype type, int root)
{
    if (my_rank != root)
        row(RECEIVE, root, 0, OWN_TAG, 0);
    else
        for (int peer = 0; peer < n_ranks; peer++)
            if (peer != root)
                row(SEND, peer, size_of(counts[peer], type), OWN_TAG, 0);
}

int MPI_Scatterv(const void *data, const int counts[], const int places[], MPI_Datatype type,
                 void *into, int count, MPI_Datatype into_type, int root, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Scatterv"))
        scatter_blocks(counts, type, root);
    return leave(PMPI_Scatterv(data, counts, places, type, into, count, into_type, root, comm));
}

int MPI_Allgatherv(const void *data, int count, MPI_Datatype type, void *into, const int counts[],
                   const int places[], MPI_Datatype into_type, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Allgatherv")) {
        int right = (my_rank + 1) % n_ranks, left = (my_rank + n_ranks - 1) % n_ranks;
        for (int step = 0; step < n_ranks - 1; step++) {
            int block = (my_rank + n_ranks - step) % n_ranks;
            exchange(right, size_of(counts[block], into_type), OWN_TAG, left, OWN_TAG);
        }
    }
    return leave(PMPI_Allgatherv(data, count, type, into, counts, places, into_type, comm));
}

int MPI_Reduce_scatter(const void *data, void *into, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm)
{
    if (enter() && is_of_all(comm, "MPI_Reduce_scatter")) {
        long long bytes = 0;
        for (int peer = 0; peer < n_ranks; peer++)
            bytes += size_of(counts[peer], type);
        row(REDUCE, 0, bytes, 0, 0);
        scatter_blocks(counts, type, 0);
    }
    return leave(PMPI_Reduce_scatter(data, into, counts, type, op, comm));
}

/* ---- what is not recorded says so ---- */

#define LEFT_OUT(name, parameters, arguments)                                                      \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (enter())                                                                               \
            left_out("MPI_" #name);                                                                \
        return leave(PMPI_##name arguments);                                                       \
    }

LEFT_OUT(Scan, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
         (a, b, n, t, o, c))
LEFT_OUT(Exscan, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
         (a, b, n, t, o, c))
LEFT_OUT(Reduce_scatter_block,
         (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
LEFT_OUT(Alltoallw,
         (const void *a, const int m[], const int p[], const MPI_Datatype t[], void *b,
          const int n[], const int q[], const MPI_Datatype u[], MPI_Comm c),
         (a, m, p, t, b, n, q, u, c))
LEFT_OUT(Start, (MPI_Request * r), (r))
LEFT_OUT(Startall, (int n, MPI_Request r[]), (n, r))
LEFT_OUT(Cancel, (MPI_Request * r), (r))
LEFT_OUT(Request_free, (MPI_Request * r), (r))
LEFT_OUT(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
LEFT_OUT(Ibcast, (void *a, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r),
         (a, n, t, root, c, r))
LEFT_OUT(Iallreduce,
         (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *r),
         (a, b, n, t, o, c, r))
LEFT_OUT(Ireduce,
         (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c,
          MPI_Request *r),
         (a, b, n, t, o, root, c, r))
LEFT_OUT(Iallgather,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c,
          MPI_Request *r),
         (a, n, t, b, m, u, c, r))
LEFT_OUT(Ialltoall,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c,
          MPI_Request *r),
         (a, n, t, b, m, u, c, r))
LEFT_OUT(Mrecv, (void *a, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s), (a, n, t, m, s))
LEFT_OUT(Imrecv, (void *a, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *r), (a, n, t, m, r))
LEFT_OUT(Win_create,
         (void *a, MPI_Aint n, int d, MPI_Info i, MPI_Comm c, MPI_Win *w), (a, n, d, i, c, w))
