/* Regions that a program names, and its looks at the clock: between them its own figures are
 * measured, and those of a run that plays the recording can be.
 *
 * MPI_Pcontrol(1, "name") begins a region and MPI_Pcontrol(-1, "name") ends it; any other level
 * above 0 begins the region of that number and its negative ends it. Of the looks at MPI_Wtime
 * that nothing else comes between, the first and the last have a row. In these rows the column of
 * the other end has one of three codes, that of bytes the nanoseconds since MPI_Init.
 */

enum { LOOK, BEGINNING, ENDING };

static struct region {
    char name[64];
} *regions;
static int n_regions, n_wtimes;
static long long began_ns;

static void mark(int what, int number)
{
    put(MARK, what, time_of(CLOCK_MONOTONIC) - began_ns, 0, number, 0);
}

static void look(void)
{
    int n_before = n_looks;
    n_wtimes++;
    if (n_before < 2)
        mark(LOOK, n_wtimes);
    else {
        last.number = n_wtimes;
        last.bytes = time_of(CLOCK_MONOTONIC) - began_ns;
        last.computed_ns += computed_ns;
        computed_ns = 0;
    }
    n_looks = n_before + 1;
}

double MPI_Wtime(void)
{
    double now;
    if (enter() && out)
        look();
    let_go();
    now = NEXT(Wtime)();
    take_up();
    leave_unseen(0);
    return now;
}
FROM_FORTRAN(Wtime);

static int number_of_region(const char *name)
{
    int found = 0;
    while (found < n_regions && strcmp(regions[found].name, name))
        found++;
    if (found == n_regions) {
        regions = enlarged(regions, n_regions + 1, sizeof *regions);
        snprintf(regions[n_regions++].name, sizeof regions->name, "%s", name);
        if (out)
            fprintf(out, "# region %d: %s\n", found, name);
    }
    return found;
}

/* Copies a name of printable characters; the address may be anything where a program gives none. */
static int name_at(const void *address, char name[sizeof regions->name])
{
    size_t length = 0, most = sizeof regions->name;
    struct iovec to = {name, 1}, from = {NULL, 1};

    for (; length < most; length++) {
        to.iov_base = &name[length];
        from.iov_base = (char *)address + length;
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
            return 0;
        if (!name[length])
            break;
        if (name[length] < ' ' || name[length] > '~')
            return 0;
    }
    name[most - 1] = 0;
    return length > 0;
}

int MPI_Pcontrol(const int level, ...)
{
    char name[sizeof regions->name];
    va_list more;
    const void *address;

    va_start(more, level);
    address = va_arg(more, const void *);
    va_end(more);
    if (enter() && out && level) {
        if (!name_at(address, name))
            snprintf(name, sizeof name, "%d", level < 0 ? -level : level);
        mark(level > 0 ? BEGINNING : ENDING, number_of_region(name));
    }
    return leave(CALL(Pcontrol, level, address));
}
FROM_FORTRAN(Pcontrol);
