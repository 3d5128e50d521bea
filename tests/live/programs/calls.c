/* Calls of MPI for the recorder, family by family: the first argument says which. Each family is
 * written so that every rank has something to wait for in each call.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define MOST 16

static double a[64 * MOST], b[64 * MOST];
static int rank, n, right, left, counts[MOST], places[MOST], ones[MOST];
static MPI_Datatype types[MOST];
static MPI_Request r[8];
static MPI_Status s[8];

static void messages(void)
{
    int index, flag = 0, indices[2];
    MPI_Sendrecv(a, 3, MPI_DOUBLE, right, 5, b, 3, MPI_DOUBLE, left, 5, WORLD, s);
    MPI_Sendrecv_replace(a, 3, MPI_DOUBLE, right, 6, left, 6, WORLD, s);
    MPI_Irecv(b, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 1, WORLD, &r[0]);
    MPI_Barrier(WORLD); /* with a receive under way */
    MPI_Isend(a, 8, MPI_DOUBLE, right, 1, WORLD, &r[1]);
    MPI_Waitany(2, r, &index, s);
    MPI_Waitall(2, r, s);
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 2, WORLD, &r[0]);
    MPI_Ssend(a, 1, MPI_DOUBLE, rank == 0 ? right : MPI_PROC_NULL, 2, WORLD);
    if (rank != 0) {
        MPI_Waitsome(1, r, &index, indices, s);
        MPI_Rsend(a, 1, MPI_DOUBLE, right, 2, WORLD);
    }
    while (rank == 0 && !flag)
        MPI_Test(&r[0], &flag, s);
}

static void prepared(void)
{
    int flag = 0;
    MPI_Recv_init(b, 8, MPI_DOUBLE, left, 1, WORLD, &r[0]);
    MPI_Send_init(a, 8, MPI_DOUBLE, right, 1, WORLD, &r[1]);
    MPI_Ssend_init(a, 4, MPI_DOUBLE, MPI_PROC_NULL, 1, WORLD, &r[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(3, r);
        MPI_Waitall(3, r, s);
        MPI_Waitall(3, r, s); /* of what is not under way */
    }
    MPI_Start(&r[0]);
    MPI_Start(&r[1]);
    while (!flag)
        MPI_Request_get_status(r[0], &flag, s);
    MPI_Request_free(&r[1]); /* while it may be under way */
    MPI_Wait(&r[0], s);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[2]);
}

static void matched(void)
{
    int flag = 0;
    MPI_Message message;
    MPI_Isend(a, 8, MPI_DOUBLE, right, 1, WORLD, &r[0]);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(b, 8, MPI_DOUBLE, &message, s);
    MPI_Isend(a, 8, MPI_DOUBLE, right, 2, WORLD, &r[1]);
    while (!flag)
        MPI_Improbe(left, 2, WORLD, &flag, &message, s);
    MPI_Imrecv(b, 8, MPI_DOUBLE, &message, &r[2]);
    MPI_Waitall(3, r, s);
    MPI_Isend(a, 8, MPI_DOUBLE, right, 3, WORLD, &r[0]);
    for (flag = 0; !flag;)
        MPI_Iprobe(left, 3, WORLD, &flag, s);
    MPI_Probe(left, 3, WORLD, s);
    MPI_Recv(b, 8, MPI_DOUBLE, left, 3, WORLD, s);
    MPI_Wait(&r[0], s);
}

/* By the ranks of a communicator, whose first and last are roots. */
static void collectives(MPI_Comm other)
{
    int me, n_others;
    MPI_Comm_rank(other, &me);
    MPI_Comm_size(other, &n_others);
    MPI_Barrier(other);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, other);
    MPI_Reduce(a, b, 4, MPI_DOUBLE, MPI_SUM, n_others - 1, other);
    MPI_Bcast(a, 4, MPI_DOUBLE, n_others - 1, other);
    MPI_Allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other);
    MPI_Alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other);
    MPI_Gather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, 0, other);
    MPI_Scatter(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, 0, other);
    MPI_Allgatherv(a, counts[me], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, other);
    MPI_Gatherv(a, counts[me], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, 0, other);
    MPI_Scatterv(a, counts, places, MPI_DOUBLE, b, counts[me], MPI_DOUBLE, 0, other);
    MPI_Alltoallv(a, ones, places, MPI_DOUBLE, b, ones, places, MPI_DOUBLE, other);
    MPI_Alltoallw(a, ones, places, types, b, ones, places, types, other);
    MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, other);
    MPI_Reduce_scatter_block(a, b, 2, MPI_DOUBLE, MPI_SUM, other);
    MPI_Scan(a, b, 4, MPI_DOUBLE, MPI_SUM, other);
    MPI_Exscan(a, b, 4, MPI_DOUBLE, MPI_SUM, other);
}

static void nonblocking(MPI_Comm other)
{
    double *c = b + 32 * MOST;
    int me, n_others;
    MPI_Comm_rank(other, &me);
    MPI_Comm_size(other, &n_others);
    MPI_Ibarrier(other, &r[0]);
    MPI_Iallreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, other, &r[1]);
    MPI_Allreduce(a, c, 1, MPI_DOUBLE, MPI_SUM, other); /* beside those */
    MPI_Wait(&r[1], s);
    MPI_Wait(&r[0], s);
    MPI_Ibcast(a, 4, MPI_DOUBLE, 0, other, &r[0]);
    MPI_Ibcast(a + 8, 4, MPI_DOUBLE, n_others - 1, other, &r[1]);
    MPI_Ireduce(a + 16, b, 4, MPI_DOUBLE, MPI_SUM, 0, other, &r[2]);
    MPI_Ireduce(a + 16, c, 4, MPI_DOUBLE, MPI_SUM, n_others - 1, other, &r[3]);
    MPI_Waitall(4, r, s);
    MPI_Iscan(a, b, 4, MPI_DOUBLE, MPI_SUM, other, &r[0]);
    MPI_Iexscan(a, c, 4, MPI_DOUBLE, MPI_SUM, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Ialltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other, &r[0]);
    MPI_Ialltoallv(a, ones, places, MPI_DOUBLE, c, ones, places, MPI_DOUBLE, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Ialltoallw(a, ones, places, types, b, ones, places, types, other, &r[0]);
    MPI_Iallgather(a, 2, MPI_DOUBLE, c, 2, MPI_DOUBLE, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Iallgatherv(a, counts[me], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, other, &r[0]);
    MPI_Ireduce_scatter(a, c, counts, MPI_DOUBLE, MPI_SUM, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Ireduce_scatter_block(a, b, 2, MPI_DOUBLE, MPI_SUM, other, &r[0]);
    MPI_Igather(a, 2, MPI_DOUBLE, c, 2, MPI_DOUBLE, 0, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Igatherv(a, counts[me], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, 0, other, &r[0]);
    MPI_Iscatter(a, 2, MPI_DOUBLE, c, 2, MPI_DOUBLE, 0, other, &r[1]);
    MPI_Waitall(2, r, s);
    MPI_Iscatterv(a, counts, places, MPI_DOUBLE, b, counts[me], MPI_DOUBLE, 0, other, &r[0]);
    MPI_Wait(&r[0], s);
}

static void meet_all(MPI_Comm other)
{
    MPI_Aint offsets[MOST] = {0, 8, 16, 24};
    int steps[MOST] = {0, 1, 2, 3};
    MPI_Neighbor_allgather(a, 3, MPI_DOUBLE, b, 3, MPI_DOUBLE, other);
    MPI_Neighbor_allgatherv(a, 1, MPI_DOUBLE, b, ones, steps, MPI_DOUBLE, other);
    MPI_Neighbor_alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other);
    MPI_Neighbor_alltoallv(a, ones, steps, MPI_DOUBLE, b, ones, steps, MPI_DOUBLE, other);
    MPI_Neighbor_alltoallw(a, ones, offsets, types, b, ones, offsets, types, other);
    MPI_Ineighbor_allgather(a, 3, MPI_DOUBLE, b, 3, MPI_DOUBLE, other, &r[0]);
    MPI_Wait(&r[0], s);
    MPI_Ineighbor_allgatherv(a, 1, MPI_DOUBLE, b, ones, steps, MPI_DOUBLE, other, &r[0]);
    MPI_Wait(&r[0], s);
    MPI_Ineighbor_alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, other, &r[0]);
    MPI_Wait(&r[0], s);
    MPI_Ineighbor_alltoallv(a, ones, steps, MPI_DOUBLE, b, ones, steps, MPI_DOUBLE, other, &r[0]);
    MPI_Wait(&r[0], s);
    MPI_Ineighbor_alltoallw(a, ones, offsets, types, b, ones, offsets, types, other, &r[0]);
    MPI_Wait(&r[0], s);
}

/* A ring as a grid, as a graph, and a graph that goes one way; and a line, which has ends. */
static void neighbours(void)
{
    int sides[1] = {n}, is_ring[1] = {1}, is_line[1] = {0}, ends[MOST], edges[2 * MOST];
    MPI_Comm other;
    MPI_Cart_create(WORLD, 1, sides, is_ring, 0, &other);
    meet_all(other);
    MPI_Cart_create(WORLD, 1, sides, is_line, 0, &other);
    meet_all(other);
    for (int i = 0; i < n; i++) {
        ends[i] = 2 * (i + 1);
        edges[2 * i] = (i + n - 1) % n;
        edges[2 * i + 1] = (i + 1) % n;
    }
    MPI_Graph_create(WORLD, n, ends, edges, 0, &other);
    meet_all(other);
    MPI_Dist_graph_create_adjacent(WORLD, 1, &left, ones, 1, &right, ones, MPI_INFO_NULL, 0,
                                   &other);
    meet_all(other);
}

/* Every other rank in reverse order, each rank alone, and all of them. */
static void parts(void)
{
    MPI_Comm half, same;
    MPI_Comm_split(WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(WORLD, &same);
    collectives(half);
    collectives(MPI_COMM_SELF);
    collectives(same);
    nonblocking(half);
    nonblocking(MPI_COMM_SELF);
}

static void reversed(void)
{
    MPI_Comm other;
    MPI_Comm_split(WORLD, 0, -rank, &other);
    collectives(other);
}

/* Two sides, with every collective that goes from one to the other; on two ranks or more. */
static void two_sides(void)
{
    MPI_Comm half, halves, both;
    int is_first = rank % 2 == 0, me, root;
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &me);
    MPI_Intercomm_create(half, 0, WORLD, is_first, 7, &halves);
    root = !is_first ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Barrier(halves);
    MPI_Bcast(a, 4, MPI_DOUBLE, root, halves);
    MPI_Reduce(a, b, 4, MPI_DOUBLE, MPI_SUM, root, halves);
    MPI_Gather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, root, halves);
    MPI_Scatter(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, root, halves);
    MPI_Scatterv(a, ones, places, MPI_DOUBLE, b, 1, MPI_DOUBLE, root, halves);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, halves);
    MPI_Allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, halves);
    MPI_Allgatherv(a, 1, MPI_DOUBLE, b, ones, places, MPI_DOUBLE, halves);
    MPI_Alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, halves);
    MPI_Alltoallv(a, ones, places, MPI_DOUBLE, b, ones, places, MPI_DOUBLE, halves);
    MPI_Iallreduce(a, b, 4, MPI_DOUBLE, MPI_SUM, halves, &r[0]);
    MPI_Wait(&r[0], s);
    if (me == 0 && is_first)
        MPI_Send(a, 1, MPI_DOUBLE, 0, 3, halves);
    if (me == 0 && !is_first)
        MPI_Recv(b, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, halves, s);
    MPI_Intercomm_merge(halves, is_first, &both);
    MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, both);
}

/* Equal tags on the world and on two duplicates of it, received in another order than sent. */
static void duplicates(void)
{
    MPI_Comm same, later;
    MPI_Comm_idup(WORLD, &later, &r[3]);
    MPI_Comm_dup(WORLD, &same);
    MPI_Wait(&r[3], s);
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 4, same, &r[0]);
    MPI_Irecv(b + 1, 2, MPI_DOUBLE, left, MPI_ANY_TAG, later, &r[1]);
    MPI_Irecv(b + 3, 3, MPI_DOUBLE, left, MPI_ANY_TAG, WORLD, &r[2]);
    MPI_Send(a, 3, MPI_DOUBLE, right, 4, WORLD);
    MPI_Wait(&r[2], s);
    MPI_Send(a, 2, MPI_DOUBLE, right, 4, later);
    MPI_Wait(&r[1], s);
    MPI_Send(a, 1, MPI_DOUBLE, right, 4, same);
    MPI_Wait(&r[0], s);
}

/* Receives that never take place, one of which is freed, and one that does though it was
 * cancelled. */
static void cancelled(void)
{
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 8, WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 10, WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Request_free(&r[0]);
    MPI_Irecv(b, 1, MPI_DOUBLE, left, 9, WORLD, &r[0]);
    MPI_Send(a, 1, MPI_DOUBLE, right, 9, WORLD);
    MPI_Barrier(WORLD);
    MPI_Request_get_status(r[0], &counts[0], MPI_STATUS_IGNORE);
    MPI_Cancel(&r[0]);
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
    counts[0] = 1;
}

/* A named region that is passed twice, one without a name, and looks at the clock. */
static void regions(void)
{
    double begin;
    MPI_Barrier(WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < 2; i++) {
        MPI_Pcontrol(1, "exchange");
        MPI_Sendrecv(a, 64, MPI_DOUBLE, right, 1, b, 64, MPI_DOUBLE, left, 1, WORLD, s);
        MPI_Pcontrol(-1, "exchange");
        MPI_Barrier(WORLD);
    }
    MPI_Wtime();
    MPI_Pcontrol(2);
    while (MPI_Wtime() - begin < 0.05)
        ;
    MPI_Pcontrol(-2);
}

/* Every way to complete operations: fences, groups, locks, requests. */
static void one_sided(void)
{
    MPI_Win window;
    MPI_Group world, to, from;
    int rank_of_group[1];
    MPI_Win_create(b, sizeof b, 8, MPI_INFO_NULL, WORLD, &window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 3; i++)
        MPI_Put(a, 5, MPI_DOUBLE, right, 0, 5, MPI_DOUBLE, window);
    MPI_Get(a + 8, 7, MPI_DOUBLE, right, 8, 7, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Comm_group(WORLD, &world);
    rank_of_group[0] = right;
    MPI_Group_incl(world, 1, rank_of_group, &to);
    rank_of_group[0] = left;
    MPI_Group_incl(world, 1, rank_of_group, &from);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Accumulate(a, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
    MPI_Fetch_and_op(a, a + 1, MPI_DOUBLE, right, 1, MPI_SUM, window);
    MPI_Win_flush(right, window);
    MPI_Compare_and_swap(a, a + 1, a + 2, MPI_LONG, right, 1, window);
    MPI_Win_unlock(right, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
    MPI_Put(a, 6, MPI_DOUBLE, right, 0, 6, MPI_DOUBLE, window);
    MPI_Win_unlock(right, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left, MPI_MODE_NOCHECK, window);
    MPI_Put(a, 3, MPI_DOUBLE, left, 0, 3, MPI_DOUBLE, window);
    MPI_Win_unlock(left, window);
    MPI_Barrier(WORLD);
    MPI_Win_lock_all(0, window);
    MPI_Rget(a + 16, 9, MPI_DOUBLE, left, 0, 9, MPI_DOUBLE, window, &r[0]);
    MPI_Wait(&r[0], s);
    MPI_Get_accumulate(a, 2, MPI_DOUBLE, a + 32, 2, MPI_DOUBLE, left, 0, 2, MPI_DOUBLE, MPI_SUM,
                       window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void left_out(void)
{
    MPI_Win window;
    MPI_File file;
    double *shared;
    MPI_Win_allocate_shared(sizeof b, 8, MPI_INFO_NULL, WORLD, &shared, &window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    if (!MPI_File_open(WORLD, "calls.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                       &file)) {
        MPI_File_write_at_all(file, 8 * rank, a, 1, MPI_DOUBLE, s);
        MPI_File_close(&file);
    }
}

int main(int argc, char **argv)
{
    const char *family = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &n);
    right = (rank + 1) % n;
    left = (rank + n - 1) % n;
    for (int i = 0; i < MOST; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
        ones[i] = 1;
        types[i] = MPI_DOUBLE;
    }
    if (!strcmp(family, "messages"))
        messages();
    else if (!strcmp(family, "prepared"))
        prepared();
    else if (!strcmp(family, "matched"))
        matched();
    else if (!strcmp(family, "collectives"))
        collectives(WORLD);
    else if (!strcmp(family, "nonblocking"))
        nonblocking(WORLD);
    else if (!strcmp(family, "reversed"))
        reversed();
    else if (!strcmp(family, "parts"))
        parts();
    else if (!strcmp(family, "neighbours"))
        neighbours();
    else if (!strcmp(family, "two-sides"))
        two_sides();
    else if (!strcmp(family, "duplicates"))
        duplicates();
    else if (!strcmp(family, "cancelled"))
        cancelled();
    else if (!strcmp(family, "regions"))
        regions();
    else if (!strcmp(family, "one-sided"))
        one_sided();
    else if (!strcmp(family, "left-out"))
        left_out();
    else
        MPI_Abort(WORLD, 2);
    MPI_Finalize();
    return 0;
}
