/* Writes down what an MPI program does, call by call, through the profiling interface of MPI.
 *
 *   mpicc -O2 -shared -fPIC -o librecorder.so recorder.c
 *   mpirun -x LD_PRELOAD=./librecorder.so -x LINKWRIGHT_RECORDING=recording -np 4 ./program
 *
 * Each rank writes rank-<n>.txt into the folder: one row per call, with the code of its step, the
 * other end or the root, bytes, tag, number of the request, the nanoseconds computed before it, and
 * the communicator. LINKWRIGHT_CLOCK=cpu counts processor time instead of real time, for ranks that
 * share cores. A recorder that cannot write says so, and the program runs without it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "rows.h"
#include "communicators.h"
#include "collective.h"
#include "requests.h"
#include "parts.h"
#include "messages.h"
#include "neighbours.h"
#include "nonblocking.h"
#include "collectives.h"
#include "barriers.h"
#include "partitions.h"
#include "one_sided.h"
#include "locks.h"
#include "regions.h"
#include "left_out.h"

/* Counts are int, or MPI_Count in calls whose names end in _c. */
#define NAMED(name) NAMED_(SIZED(name))
#define NAMED_(name) MPI_NAME(name)
#define MPI_NAME(name) MPI_##name
#define EXPANDED(macro, ...) EXPANDED_(macro, __VA_ARGS__)
#define EXPANDED_(macro, ...) macro(__VA_ARGS__)
#define COUNT int
#define PLACE int
#define SIZED(name) name
#include "sized_calls.h"
#if MPI_VERSION >= 4
#undef COUNT
#undef PLACE
#undef SIZED
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define SIZED(name) name##_c
#include "sized_calls.h"
#endif
#include "file.h"
