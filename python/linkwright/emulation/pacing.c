/* Gives each rank of MPI a processor of its own, as far as others can see: work takes
 * LINKWRIGHT_DILATION times its processor time.
 *
 * Networks of an emulation are slowed down by that factor, processors are not, and several ranks
 * share one. Before a thread sends or asks for messages, or reads MPI's clock, it sleeps for what
 * its work since the last such call lacks: the factor less 1, times the processor time, less the
 * time for which it was ready and waited for a processor. Waiting is no error as long as it fits;
 * the rest is lateness. Debts and credits up to SMALL_NS are carried to the next call, because a
 * sleep ends late.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SMALL_NS = 200000 };

/* The processor time of this thread and its wait for one at the last call, and what it owes. */
static _Thread_local struct {
    bool has_begun;
    long long ran_ns, waited_ns, debt_ns;
} thread;

static _Atomic long long late_ns;

static long long clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The time for which this thread was ready and waited; 0 if the kernel does not count it. */
static long long waited_ns(void)
{
    char text[80] = "";
    long long waited = 0;
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    if (read(fd, text, sizeof text - 1) <= 0 || sscanf(text, "%*d %lld", &waited) != 1)
        waited = 0;
    close(fd);
    return waited;
}

static double dilation(void)
{
    static double found;
    const char *words = getenv("LINKWRIGHT_DILATION");

    if (!found)
        found = words ? atof(words) : 1;
    return found;
}

static void sleep_ns(long long ns)
{
    struct timespec left = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    long long begin = clock_ns(CLOCK_MONOTONIC);

    while (nanosleep(&left, &left) && errno == EINTR)
        ;
    thread.debt_ns -= clock_ns(CLOCK_MONOTONIC) - begin;
}

/* Neither this library's own work nor its sleep is the thread's. */
static void begin_work(void)
{
    thread.has_begun = true;
    thread.waited_ns = waited_ns();
    thread.ran_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void catch_up(void)
{
    int error = errno;

    if (!is_rank() || dilation() <= 1)
        return;
    if (thread.has_begun) {
        long long ran = clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread.ran_ns;
        thread.debt_ns += (long long)((dilation() - 1) * ran) - (waited_ns() - thread.waited_ns);
    }
    if (thread.debt_ns > SMALL_NS)
        sleep_ns(thread.debt_ns);
    if (thread.debt_ns < -SMALL_NS) {
        atomic_fetch_add(&late_ns, -SMALL_NS - thread.debt_ns);
        thread.debt_ns = -SMALL_NS;
    }
    begin_work();
    errno = error;
}

void idle(void)
{
    if (thread.has_begun)
        thread.ran_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

long long lateness_ns(void)
{
    return atomic_load(&late_ns);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    static ssize_t (*next)(int, const struct iovec *, int);

    if (!next)
        next = next_function("writev");
    catch_up();
    return next(fd, parts, n);
}

ssize_t send(int fd, const void *data, size_t length, int flags)
{
    static ssize_t (*next)(int, const void *, size_t, int);

    if (!next)
        next = next_function("send");
    catch_up();
    return next(fd, data, length, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    static ssize_t (*next)(int, const struct msghdr *, int);

    if (!next)
        next = next_function("sendmsg");
    catch_up();
    return next(fd, message, flags);
}
