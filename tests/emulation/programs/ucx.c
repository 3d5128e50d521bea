/* Stands for UCX, and for a rank of MPICH 4.0 above it: the launcher, at the other end of a pair of
 * sockets, answers only when the network has been looked after three times.
 *
 * With -DPROGRAM it is the rank, otherwise the library. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct worker {
    int launcher, n_calls;
};

unsigned ucp_worker_progress(void *worker);
void *ucp_disconnect_nb(void *endpoint);

#ifdef PROGRAM
int main(void)
{
    int ends[2];
    char name[] = "0", answer;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    name[0] += ends[0];
    setenv("PMI_FD", name, 1);
    struct worker worker = {.launcher = ends[1], .n_calls = -1};
    ucp_worker_progress(&worker);
    ucp_disconnect_nb(&worker);
    return !(read(ends[0], &answer, 1) == 1 && worker.n_calls == 3);
}
#else
unsigned ucp_worker_progress(void *worker)
{
    struct worker *of = worker;

    if (++of->n_calls == 3 && write(of->launcher, "g", 1) != 1)
        abort();
    return 0;
}

void *ucp_disconnect_nb(void *endpoint)
{
    return endpoint;
}
#endif
