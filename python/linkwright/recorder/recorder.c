/* Writes down what an MPI program does, call by call, through the profiling interface of MPI.
 *
 *   mpicc -O2 -shared -fPIC -o librecorder.so recorder.c
 *   mpirun -x LD_PRELOAD=./librecorder.so -x LINKWRIGHT_RECORDING=recording -np 4 ./program
 *
 * Each rank writes rank-<n>.txt into the folder: one row per call, with the code of its step, the
 * other end or the root, bytes, tag, number of the request, and the nanoseconds computed before it.
 * LINKWRIGHT_CLOCK=cpu counts processor time instead of real time, for ranks that share cores.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "rows.h"
#include "ranks.h"
#include "requests.h"
#include "messages.h"
#include "parts.h"
#include "collectives.h"
#include "blocks.h"
#include "nonblocking.h"
#include "neighbours.h"
#include "left_out.h"

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
}

int MPI_Init(int *argc, char ***argv)
{
    int is_outer = enter(), result = NEXT(Init)(argc, argv);
    if (is_outer)
        open_file();
    computed_ns = 0;
    return leave(result);
}
FROM_FORTRAN(Init);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    /* One thread at a time may call: there is one recording of a rank. */
    int most = required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED;
    int is_outer = enter(), result = NEXT(Init_thread)(argc, argv, most, provided);
    if (is_outer)
        open_file();
    computed_ns = 0;
    return leave(result);
}
FROM_FORTRAN(Init_thread);

int MPI_Finalize(void)
{
    enter();
    row(COMPUTE, 0, 0, 0, 0);
    wait_for_all();
    write_omissions();
    if (out && (fputs("# end\n", out) < 0 || fclose(out)))
        fprintf(stderr, "recorder: rank %d is not written whole: %s\n", my_rank, strerror(errno));
    out = NULL;
    tell_omissions();
    return leave(NEXT(Finalize)());
}
FROM_FORTRAN(Finalize);
