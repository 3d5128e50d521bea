/* W5 as an MPI program for SimGrid's SMPI: a broadcast from rank 0, then a barrier, as often as the
 * first argument says, of as many bytes as the second says. Which algorithms carry them out is an
 * option of smpirun. SMPI gives a program the simulated clock alone, so no computing is timed. */
#include "../process.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 1, bytes = argc > 2 ? atoi(argv[2]) : 1, rank;
    char* data = calloc(bytes, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    for (int i = 0; i < rounds; ++i)
    {
        MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("{\"simulated_s\": %.9f, \"peak_bytes\": %ld}\n", MPI_Wtime() - begin, PeakBytes());
    free(data);
    MPI_Finalize();
    return 0;
}
