/* Two threads of each rank at once: each exchanges messages of its own tag with a thread of the
 * other rank, in both directions; the second also on a duplicate of the communicator.
 */
#include <mpi.h>
#include <pthread.h>

enum { N = 200 };

static int rank;
static MPI_Comm comms[2];

static void *exchange(void *place)
{
    int mine = *(int *)place, other = 1 - rank;
    double data[100] = {0}, more[100];
    MPI_Request request;
    for (int i = 0; i < N; i++) {
        if (rank == 0) {
            MPI_Send(data, 100, MPI_DOUBLE, other, mine, comms[mine]);
            MPI_Recv(more, 100, MPI_DOUBLE, other, MPI_ANY_TAG, comms[mine], MPI_STATUS_IGNORE);
        } else {
            MPI_Irecv(more, 100, MPI_DOUBLE, other, mine, comms[mine], &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Send(data, 100, MPI_DOUBLE, other, mine, comms[mine]);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, places[2] = {0, 1};
    pthread_t second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    pthread_create(&second, NULL, exchange, &places[1]);
    exchange(&places[0]);
    pthread_join(second, NULL);
    MPI_Finalize();
    return level == MPI_THREAD_MULTIPLE ? 0 : 1;
}
