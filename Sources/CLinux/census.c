#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* One by one: a worker may not look into /proc. */
int clinux_open_descriptors(void) {
    struct rlimit limit;
    int count = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) { return -errno; }
    int most = limit.rlim_cur > 65536 ? 65536 : (int)limit.rlim_cur;
    for (int fd = 0; fd < most; fd++) { count += fcntl(fd, F_GETFD) >= 0; }
    return count;
}

/* The sums over all arenas stand at the end, outside of every <heap>: what is held from the kernel, and what of that is
 * free. */
static uint64_t size_of(const char *text, const char *element) {
    const char *place = strstr(text, element);
    const char *size = place == NULL ? NULL : strstr(place, "size=\"");
    return size == NULL ? 0 : strtoull(size + 6, NULL, 10);
}
uint64_t clinux_heap_in_use(void) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) { return 0; }
    int failed = malloc_info(0, stream);
    if (fclose(stream) != 0 || failed != 0 || text == NULL) {
        free(text);
        return 0;
    }
    const char *sums = text, *next;
    while ((next = strstr(sums, "</heap>")) != NULL) { sums = next + 7; }
    uint64_t held = size_of(sums, "<system type=\"current\"") + size_of(sums, "<total type=\"mmap\"");
    uint64_t unused = size_of(sums, "<total type=\"fast\"") + size_of(sums, "<total type=\"rest\"");
    free(text);
    return held > unused ? held - unused : 0;
}

int clinux_blocked_signals(void) {
    sigset_t blocked;
    if (pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0) { return 0; }
    for (int number = 1; number < 32; number++) {
        if (sigismember(&blocked, number) == 1) { return 1; }
    }
    return 0;
}

void clinux_trim_heap(void) { malloc_trim(0); }
