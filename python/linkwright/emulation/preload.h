/* Between the files of the library that is loaded into programs. */
#ifndef PRELOAD_H
#define PRELOAD_H

/* True while this process is a rank of MPI. */
int is_rank(void);

/* Before others may see what this thread has done: sleeps until its work would be done. */
void catch_up(void);

/* Takes what this thread did since the last of these calls for waiting, not for work. */
void idle(void);

/* The nanoseconds by which the threads of this process were too late, in all. */
long long lateness_ns(void);

/* The function of this name that one of this library stands in front of. A plugin may have loaded
 * it for itself alone. Ends the process if no loaded library has it. */
void *next_function(const char *name);

#endif
