! What the recorder must see of a Fortran program: the same calls by each of the three bindings. The
! preprocessor chooses: F08 for mpi_f08, OLD for mpif.h, else the module mpi.
program twin
#ifdef F08
    use mpi_f08
    type(MPI_Request) :: r(2)
#else
#ifdef OLD
    include 'mpif.h'
#else
    use mpi
#endif
    integer :: r(2)
#endif
    double precision :: a(64), b(64)
    integer :: rank, n, right, left, e
    a = 0
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    call MPI_Comm_size(MPI_COMM_WORLD, n, e)
    right = mod(rank + 1, n)
    left = mod(rank + n - 1, n)
    call MPI_Irecv(b, 8, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, r(1), e)
    call MPI_Isend(a, 8, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, r(2), e)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, e)
    if (rank == 0) call MPI_Send(a, 5, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, e)
    if (rank == 1) then
        call MPI_Recv(a, 5, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
    end if
    call MPI_Recv_init(b, 8, MPI_REAL, left, 3, MPI_COMM_WORLD, r(1), e)
    call MPI_Send_init(a, 8, MPI_REAL, right, 3, MPI_COMM_WORLD, r(2), e)
    call MPI_Startall(2, r, e)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, e)
    call MPI_Request_free(r(1), e)
    call MPI_Request_free(r(2), e)
    call MPI_Bcast(a, 4, MPI_DOUBLE_PRECISION, n - 1, MPI_COMM_WORLD, e)
    call MPI_Allreduce(MPI_IN_PLACE, a, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, e)
    call MPI_Finalize(e)
end program
