/* Notes when programs of MPI begin and end to be ranks: between MPI_Init and MPI_Finalize.
 *
 * Each rank appends two lines to the file that LINKWRIGHT_SPANS names: `1 TIME` when MPI_Init has
 * ended, `-1 TIME` when MPI_Finalize begins or the process exits, with the nanoseconds of
 * CLOCK_MONOTONIC. The calls have one form in all implementations. Fortran's and Python's come by
 * these names, or by those that begin with P.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int init_call(int *, char ***);
typedef int init_thread_call(int *, char ***, int, int *);
typedef int finalize_call(void);

int MPI_Init(int *n, char ***words);
int PMPI_Init(int *n, char ***words);
int MPI_Init_thread(int *n, char ***words, int wanted, int *level);
int PMPI_Init_thread(int *n, char ***words, int wanted, int *level);
int MPI_Finalize(void);
int PMPI_Finalize(void);

/* The process, once it is a rank; its children by fork are none. */
static pid_t rank;

struct sought {
    const char *name;
    void *found;
};

static int look_into(struct dl_phdr_info *object, size_t size, void *data)
{
    struct sought *sought = data;
    void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, sought->name) : NULL;
    Dl_info of_found, of_this;

    (void)size;
    if (handle)
        dlclose(handle);
    if (!found || !dladdr(found, &of_found) || !dladdr(&rank, &of_this))
        return 0;
    if (of_found.dli_fbase != of_this.dli_fbase)
        sought->found = found;
    return sought->found != NULL;
}

/* The library's own function, which may be known to the caller alone. */
static void *of_library(const char *name)
{
    struct sought sought = {.name = name, .found = dlsym(RTLD_NEXT, name)};

    if (!sought.found)
        dl_iterate_phdr(look_into, &sought);
    if (!sought.found) {
        fprintf(stderr, "%s: no loaded library has it\n", name);
        abort();
    }
    return sought.found;
}

static void note(int change)
{
    const char *file = getenv("LINKWRIGHT_SPANS");
    int fd = file ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    struct timespec now;

    if (fd < 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    dprintf(fd, "%d %lld\n", change, now.tv_sec * 1000000000LL + now.tv_nsec);
    close(fd);
}

static int begun(int error)
{
    if (!error && !rank) {
        rank = getpid();
        note(1);
    }
    return error;
}

__attribute__((destructor)) static void ended(void)
{
    if (rank && rank == getpid()) {
        rank = 0;
        note(-1);
    }
}

int MPI_Init(int *n, char ***words)
{
    return begun(((init_call *)of_library("MPI_Init"))(n, words));
}

int PMPI_Init(int *n, char ***words)
{
    return begun(((init_call *)of_library("PMPI_Init"))(n, words));
}

int MPI_Init_thread(int *n, char ***words, int wanted, int *level)
{
    return begun(((init_thread_call *)of_library("MPI_Init_thread"))(n, words, wanted, level));
}

int PMPI_Init_thread(int *n, char ***words, int wanted, int *level)
{
    return begun(((init_thread_call *)of_library("PMPI_Init_thread"))(n, words, wanted, level));
}

int MPI_Finalize(void)
{
    ended();
    return ((finalize_call *)of_library("MPI_Finalize"))();
}

int PMPI_Finalize(void)
{
    ended();
    return ((finalize_call *)of_library("PMPI_Finalize"))();
}
