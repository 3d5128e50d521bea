/* Carries out collectives, given as KIND BYTES ROOT as often as wanted. For each, rank 0 prints a
 * line "KIND BYTES ROOT:", then "FROM>TO MESSAGESxBYTES" for each pair of ranks, bytes in total.
 * Elements are the longest numbers of which the size is a multiple, as in the model.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

static int n_ranks, me;
static char *from, *into;

static MPI_Datatype element_of(long bytes)
{
    if (bytes % 8 == 0)
        return MPI_DOUBLE;
    if (bytes % 4 == 0)
        return MPI_FLOAT;
    return bytes % 2 == 0 ? MPI_SHORT : MPI_SIGNED_CHAR;
}

static void carry_out(const char *kind, long bytes, int root)
{
    MPI_Datatype type = element_of(bytes);
    int length;
    MPI_Type_size(type, &length);
    int count = bytes / length;
    MPI_Comm all = MPI_COMM_WORLD;

    if (!strcmp(kind, "broadcast"))
        MPI_Bcast(from, count, type, root, all);
    else if (!strcmp(kind, "reduce"))
        MPI_Reduce(from, into, count, type, MPI_SUM, root, all);
    else if (!strcmp(kind, "all_reduce"))
        MPI_Allreduce(from, into, count, type, MPI_SUM, all);
    else if (!strcmp(kind, "barrier"))
        MPI_Barrier(all);
    else if (!strcmp(kind, "all_gather"))
        MPI_Allgather(from, count, type, into, count, type, all);
    else if (!strcmp(kind, "all_to_all"))
        MPI_Alltoall(from, count, type, into, count, type, all);
    else if (!strcmp(kind, "gather"))
        MPI_Gather(from, count, type, into, count, type, root, all);
    else if (!strcmp(kind, "scatter"))
        MPI_Scatter(from, count, type, into, count, type, root, all);
    else if (!strcmp(kind, "reduce_scatter"))
        MPI_Reduce_scatter_block(from, into, count, type, MPI_SUM, all);
    else
        MPI_Abort(all, 1);
}

static void print(const char *kind, long bytes, int root, const long *counts)
{
    printf("%s %ld %d:", kind, bytes, root);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int to = 0; to < n_ranks; to++) {
            const long *pair = counts + 2 * (rank * n_ranks + to);
            if (pair[0])
                printf(" %d>%d %ldx%ld", rank, to, pair[0], pair[1]);
        }
    printf("\n");
    fflush(stdout);
}

static void record(const char *kind, long bytes, int root)
{
    long *before = calloc(2 * n_ranks, sizeof(long)), *after = calloc(2 * n_ranks, sizeof(long));
    long *every = me ? NULL : calloc(2 * n_ranks * n_ranks, sizeof(long));
    MPI_Barrier(MPI_COMM_WORLD);
    read_counts(before);
    carry_out(kind, bytes, root);
    read_counts(after);
    for (int i = 0; i < 2 * n_ranks; i++)
        after[i] -= before[i];
    MPI_Gather(after, 2 * n_ranks, MPI_LONG, every, 2 * n_ranks, MPI_LONG, 0, MPI_COMM_WORLD);
    if (!me)
        print(kind, bytes, root, every);
    free(before), free(after), free(every);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    begin_counting();
    long most = 0;
    for (int i = 2; i < argc; i += 3)
        most = atol(argv[i]) > most ? atol(argv[i]) : most;
    from = calloc(n_ranks, most + 8), into = calloc(n_ranks, most + 8);
    for (int i = 1; i + 2 < argc; i += 3)
        record(argv[i], atol(argv[i + 1]), atoi(argv[i + 2]));
    MPI_Finalize();
    return 0;
}
