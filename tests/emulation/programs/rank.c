/* A library of MPI, a plugin that alone knows it, and a program that loads the plugin: as Python's
 * modules do. The child of a rank is none.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int MPI_Init(int *n, char ***words);
int MPI_Finalize(void);

#if defined PROGRAM
int main(int n, char **words)
{
    void *plugin = n == 3 ? dlopen(words[1], RTLD_NOW | SCOPE) : NULL;

    if (!plugin)
        return 1;
    return ((int (*)(const char *))dlsym(plugin, "act"))(words[2]);
}
#elif defined PLUGIN
int act(const char *ends);
int act(const char *ends)
{
    int status = 0;

    if (MPI_Init(NULL, NULL))
        return 2;
    if (!fork())
        exit(0);
    wait(&status);
    return strcmp(ends, "by finalize") ? status : MPI_Finalize();
}
#else
int MPI_Init(int *n, char ***words)
{
    return n || words;
}

int MPI_Finalize(void)
{
    return 0;
}
#endif
