/* A driver's report on its own process: the seconds since a moment, by the clock on the wall and by
 * the processor, and the largest memory. The kernel's other figure for that, which a parent gets,
 * includes the process from before it became this program. */
#ifndef PEERS_PROCESS_H
#define PEERS_PROCESS_H

#include <stdio.h>
#include <string.h>
#include <time.h>

struct Moment
{
    double wall_s, cpu_s;
};

static double ReadClock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline struct Moment ReadMoment(void)
{
    struct Moment now = {ReadClock(CLOCK_MONOTONIC), ReadClock(CLOCK_PROCESS_CPUTIME_ID)};
    return now;
}

static inline long PeakBytes(void)
{
    char line[256];
    long kibibytes = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            sscanf(line + 6, "%ld", &kibibytes);
    if (file)
        fclose(file);
    return kibibytes * 1024;
}

#endif
