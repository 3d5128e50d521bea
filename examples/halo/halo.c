/* Heat in a plate: a grid cut into blocks, one per rank, whose edges are exchanged in every step;
 * every tenth step all ranks agree on how much has changed. Compile with mpicc.
 *
 *   ./halo [points of a side of the grid] [steps]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum side { NORTH, SOUTH, WEST, EAST, N_SIDES };

static int n_rows, n_columns;
static double *now, *next, *edge_in[N_SIDES], *edge_out[N_SIDES];

static double *at(double *grid, int row, int column)
{
    return &grid[(row + 1) * (n_columns + 2) + column + 1];
}

static int length(enum side side)
{
    return side == NORTH || side == SOUTH ? n_columns : n_rows;
}

/* A point of the edge on a side: 0 inside the block, 1 just outside. */
static double *edge(enum side side, int i, int outside)
{
    switch (side) {
    case NORTH: return at(now, -outside, i);
    case SOUTH: return at(now, n_rows - 1 + outside, i);
    case WEST: return at(now, i, -outside);
    default: return at(now, i, n_columns - 1 + outside);
    }
}

static void exchange(MPI_Comm plate, const int neighbour[])
{
    MPI_Request requests[2 * N_SIDES];

    /* Data that leave to the north arrive from the south. */
    for (int side = 0; side < N_SIDES; side++)
        MPI_Irecv(edge_in[side], length(side), MPI_DOUBLE, neighbour[side], side ^ 1, plate,
                  &requests[side]);
    for (int side = 0; side < N_SIDES; side++) {
        for (int i = 0; i < length(side); i++)
            edge_out[side][i] = *edge(side, i, 0);
        MPI_Isend(edge_out[side], length(side), MPI_DOUBLE, neighbour[side], side, plate,
                  &requests[N_SIDES + side]);
    }
    MPI_Waitall(2 * N_SIDES, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < N_SIDES; side++)
        for (int i = 0; neighbour[side] != MPI_PROC_NULL && i < length(side); i++)
            *edge(side, i, 1) = edge_in[side][i];
}

static double relax(void)
{
    double change = 0, *old = now;

    for (int row = 0; row < n_rows; row++)
        for (int column = 0; column < n_columns; column++) {
            double mean = (*at(now, row - 1, column) + *at(now, row + 1, column) +
                           *at(now, row, column - 1) + *at(now, row, column + 1)) / 4;
            double step = mean - *at(now, row, column);
            *at(next, row, column) = mean;
            change += step * step;
        }
    now = next;
    next = old;
    return change;
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 256, n_steps = argc > 2 ? atoi(argv[2]) : 20;
    int n_ranks, rank, shape[2] = {0, 0}, place[2], around[2] = {0, 0}, neighbour[N_SIDES];
    double change = 0, all = 0, begin, took, longest;
    MPI_Comm plate;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Dims_create(n_ranks, 2, shape);
    MPI_Cart_create(MPI_COMM_WORLD, 2, shape, around, 0, &plate);
    MPI_Comm_rank(plate, &rank);
    MPI_Cart_coords(plate, rank, 2, place);
    MPI_Cart_shift(plate, 0, 1, &neighbour[NORTH], &neighbour[SOUTH]);
    MPI_Cart_shift(plate, 1, 1, &neighbour[WEST], &neighbour[EAST]);

    n_rows = side / shape[0];
    n_columns = side / shape[1];
    now = calloc((n_rows + 2) * (n_columns + 2), sizeof *now);
    next = calloc((n_rows + 2) * (n_columns + 2), sizeof *next);
    for (int i = 0; i < N_SIDES; i++) {
        edge_in[i] = calloc(length(i), sizeof **edge_in);
        edge_out[i] = calloc(length(i), sizeof **edge_out);
    }
    MPI_Bcast(&n_steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int column = 0; place[0] == 0 && column < n_columns; column++)
        *at(now, -1, column) = *at(next, -1, column) = 100; /* the upper edge is hot */

    begin = MPI_Wtime();
    for (int step = 1; step <= n_steps; step++) {
        exchange(plate, neighbour);
        change = relax();
        if (step % 10 == 0)
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    took = MPI_Wtime() - begin;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps in %g s; changed by %g in the last\n", n_steps, longest, all);
    MPI_Finalize();
    return 0;
}
