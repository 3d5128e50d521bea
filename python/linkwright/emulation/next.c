/* Finds the functions that those of this library stand in front of. */
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

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
    if (!found || !dladdr(found, &of_found) || !dladdr((void *)look_into, &of_this))
        return 0;
    if (of_found.dli_fbase != of_this.dli_fbase)
        sought->found = found;
    return sought->found != NULL;
}

void *next_function(const char *name)
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
