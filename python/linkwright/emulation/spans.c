/* Notes when programs of MPI begin and end to be ranks: between MPI_Init and MPI_Finalize.
 *
 * Each rank appends two lines to the file that LINKWRIGHT_SPANS names: `1 TIME 0` when MPI_Init has
 * ended, `-1 TIME LATE` when MPI_Finalize begins or the process exits, with the nanoseconds of
 * CLOCK_MONOTONIC, and those by which its work ended too late. The calls have one form in all
 * implementations. Fortran's and Python's come by these names, or by those that begin with P.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int init_call(int *, char ***);
typedef int init_thread_call(int *, char ***, int, int *);
typedef int finalize_call(void);
typedef double clock_call(void);

int MPI_Init(int *n, char ***words);
int PMPI_Init(int *n, char ***words);
int MPI_Init_thread(int *n, char ***words, int wanted, int *level);
int PMPI_Init_thread(int *n, char ***words, int wanted, int *level);
int MPI_Finalize(void);
int PMPI_Finalize(void);
double MPI_Wtime(void);
double PMPI_Wtime(void);

/* The process, once it is a rank; its children by fork are none. */
static pid_t rank;

int is_rank(void)
{
    return rank && rank == getpid();
}

static void note(int change)
{
    const char *file = getenv("LINKWRIGHT_SPANS");
    int fd = file ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    struct timespec now;

    if (fd < 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    dprintf(fd, "%d %lld %lld\n", change, now.tv_sec * 1000000000LL + now.tv_nsec, lateness_ns());
    close(fd);
}

static int begun(int error)
{
    if (!error && !rank) {
        rank = getpid();
        catch_up();
        note(1);
    }
    return error;
}

__attribute__((destructor)) static void ended(void)
{
    if (is_rank()) {
        catch_up();
        note(-1);
        rank = 0;
    }
}

int MPI_Init(int *n, char ***words)
{
    return begun(((init_call *)next_function("MPI_Init"))(n, words));
}

int PMPI_Init(int *n, char ***words)
{
    return begun(((init_call *)next_function("PMPI_Init"))(n, words));
}

int MPI_Init_thread(int *n, char ***words, int wanted, int *level)
{
    return begun(((init_thread_call *)next_function("MPI_Init_thread"))(n, words, wanted, level));
}

int PMPI_Init_thread(int *n, char ***words, int wanted, int *level)
{
    return begun(((init_thread_call *)next_function("PMPI_Init_thread"))(n, words, wanted, level));
}

int MPI_Finalize(void)
{
    ended();
    return ((finalize_call *)next_function("MPI_Finalize"))();
}

int PMPI_Finalize(void)
{
    ended();
    return ((finalize_call *)next_function("PMPI_Finalize"))();
}

double MPI_Wtime(void)
{
    static clock_call *next;

    if (!next)
        next = (clock_call *)next_function("MPI_Wtime");
    catch_up();
    return next();
}

double PMPI_Wtime(void)
{
    static clock_call *next;

    if (!next)
        next = (clock_call *)next_function("PMPI_Wtime");
    catch_up();
    return next();
}
