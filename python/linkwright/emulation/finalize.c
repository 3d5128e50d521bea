/* Lets programs of MPICH before 4.2 end when they use UCX.
 *
 * In MPI_Finalize, a rank disconnects from all others, waits for their answers, and enters a
 * barrier of the launcher. It gives no answers there, and ranks that come later wait for one
 * forever. MPICH 4.2 does without the barrier (github.com/pmodels/mpich/pull/6596). Here, a rank
 * that waits in it continues to answer. Other programs do not make these calls.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

typedef unsigned progress_call(void *);
typedef void *disconnect_call(void *);
typedef ssize_t read_call(int, void *, size_t);

unsigned ucp_worker_progress(void *worker);
void *ucp_disconnect_nb(void *endpoint);

static void *answering;
static bool is_disconnecting;

unsigned ucp_worker_progress(void *worker)
{
    static progress_call *next;

    if (!next)
        next = (progress_call *)next_function("ucp_worker_progress");
    answering = worker;
    return next(worker);
}

void *ucp_disconnect_nb(void *endpoint)
{
    is_disconnecting = true;
    return ((disconnect_call *)next_function("ucp_disconnect_nb"))(endpoint);
}

/* Answers until the launcher has something to say at `fd`. */
static void answer_until(int fd)
{
    const char *launcher = getenv("PMI_FD");
    struct pollfd asked = {.fd = fd, .events = POLLIN};

    if (!launcher || atoi(launcher) != fd)
        return;
    is_disconnecting = false;
    while (answering && !poll(&asked, 1, 0))
        ucp_worker_progress(answering);
}

ssize_t read(int fd, void *to, size_t most)
{
    static read_call *next;

    if (!next)
        next = (read_call *)next_function("read");
    if (is_disconnecting)
        answer_until(fd);
    return next(fd, to, most);
}
