/* Barriers and an all-to-all with checked contents: each rank prints its node and the number of
 * wrong words that it received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 1000, BARRIERS = 20 };

int main(int argc, char **argv)
{
    int rank, n, wrong = 0;
    char node[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    gethostname(node, sizeof node);
    int *sent = malloc(n * WORDS * sizeof *sent), *received = calloc(n * WORDS, sizeof *received);
    for (int i = 0; i < n * WORDS; i++)
        sent[i] = rank * n * WORDS + i;
    for (int i = 0; i < BARRIERS; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Alltoall(sent, WORDS, MPI_INT, received, WORDS, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n * WORDS; i++)
        wrong += received[i] != (i / WORDS * n + rank) * WORDS + i % WORDS;
    printf("%s %d\n", node, wrong);
    MPI_Finalize();
    return wrong != 0;
}
