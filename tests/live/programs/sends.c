/* Two ranks send in one of the ways of MPI. Synchronous: rank 1 receives after 50 ms, and rank 0
 * computes 50 ms when its send is over, so that the program takes 100 ms. Buffered: both send 1 MB
 * before they receive.
 */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 1000000 };

static void compute(void)
{
    double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 0.05)
        ;
}

static void send_in_step(const char *way)
{
    MPI_Request request;
    char byte = 1;

    if (!strcmp(way, "ssend"))
        MPI_Ssend(&byte, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    else if (!strcmp(way, "issend")) {
        MPI_Issend(&byte, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend_init(&byte, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

static void send_buffered(const char *way, const char *data, int to)
{
    MPI_Request request;

    if (!strcmp(way, "bsend"))
        MPI_Bsend(data, LONG, MPI_BYTE, to, 3, MPI_COMM_WORLD);
    else {
        MPI_Ibsend(data, LONG, MPI_BYTE, to, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int n, char **words)
{
    int rank, size;
    char *data = calloc(2, LONG), *buffer = malloc(LONG + MPI_BSEND_OVERHEAD);
    const char *way = words[1];

    MPI_Init(&n, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strstr(way, "bsend")) {
        MPI_Buffer_attach(buffer, LONG + MPI_BSEND_OVERHEAD);
        send_buffered(way, data, 1 - rank);
        MPI_Recv(data + LONG, LONG, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&buffer, &size);
    } else if (rank == 0) {
        send_in_step(way);
        compute();
    } else {
        compute();
        MPI_Recv(data, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free(data);
    free(buffer);
    return 0;
}
