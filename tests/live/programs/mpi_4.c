/* Calls of MPI 4: collectives and messages that are prepared once and started twice, one of them in
 * parts, and counts of the large type.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double a[64] = {0}, b[64], c[64];
    int rank, n, parts[2] = {1, 2};
    MPI_Request r[4];
    MPI_Status s[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int right = (rank + 1) % n, left = (rank + n - 1) % n;
    MPI_Allreduce_init(a, b, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Bcast_init(c, 4, MPI_DOUBLE, n - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Psend_init(a, 4, 2, MPI_DOUBLE, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
    MPI_Precv_init(b + 32, 4, 2, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r[3]);
    for (int i = 0; i < 2; i++) {
        /* Collectives that were prepared may be started in any order. */
        MPI_Start(&r[rank % 2]);
        MPI_Start(&r[1 - rank % 2]);
        MPI_Startall(2, r + 2);
        MPI_Pready(0, r[2]);
        MPI_Pready_list(2, parts, r[2]);
        MPI_Pready_range(3, 3, r[2]);
        MPI_Waitall(4, r, s);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&r[i]);
    MPI_Isendrecv(a, 3, MPI_DOUBLE, right, 6, b, 3, MPI_DOUBLE, left, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Isend_c(a, 5, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_c(b, 5, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Alltoall_c(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
