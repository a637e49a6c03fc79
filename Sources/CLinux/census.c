#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* What tracers and debugging libraries patch is the C library, as a rule. */
static int may_be_patched(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "linux-", 6) == 0;
}
static int has_text_relocations(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) { continue; }
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) { return 1; }
        }
    }
    return 0;
}
static int release_segments(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    if (may_be_patched(info->dlpi_name) || has_text_relocations(info)) { return 0; }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        /* Pages of a segment that may be written are no file's. */
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) { continue; }
        uintptr_t from = (info->dlpi_addr + header->p_vaddr) & ~(page - 1);
        uintptr_t to = (info->dlpi_addr + header->p_vaddr + header->p_filesz) & ~(page - 1);
        if (to > from && madvise((void *)from, to - from, MADV_DONTNEED) == 0) { ++*(int *)context; }
    }
    return 0;
}
int clinux_release_text(void) {
    int segments = 0;
    dl_iterate_phdr(release_segments, &segments);
    return segments;
}
void clinux_trim_heap(void) { malloc_trim(0); }
