/* Counts allocations of one program by who asked: SQLite, or anybody else. For LD_PRELOAD.
 *
 * MALLOCCOUNT_PROGRAM names the program (processes of other names, and forked children, are not counted);
 * MALLOCCOUNT_FILE receives two 64-bit counts, SQLite's and the others', kept up to date in a shared mapping so that
 * they survive whatever way the process ends. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* glibc's own names for what is replaced here. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

struct counts {
    _Atomic uint64_t sqlite, others;
};
static struct counts *volatile counts;
static uintptr_t sqlite_begin, sqlite_end;

static void count(void *caller) {
    struct counts *shared = counts;
    if (shared == NULL) { return; }
    uintptr_t address = (uintptr_t)caller;
    int is_sqlite = address >= sqlite_begin && address < sqlite_end;
    atomic_fetch_add_explicit(is_sqlite ? &shared->sqlite : &shared->others, 1, memory_order_relaxed);
}

static int find_sqlite(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (strstr(info->dlpi_name, "libsqlite3.so") == NULL) { return 0; }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            sqlite_begin = info->dlpi_addr + segment->p_vaddr;
            sqlite_end = sqlite_begin + segment->p_memsz;
        }
    }
    return 1;
}

static void stop_counting(void) { counts = NULL; }

__attribute__((constructor)) static void begin(void) {
    const char *program = getenv("MALLOCCOUNT_PROGRAM"), *path = getenv("MALLOCCOUNT_FILE");
    if (program == NULL || path == NULL || strcmp(program, program_invocation_short_name) != 0) { return; }
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) { return; }
    void *shared = MAP_FAILED;
    if (ftruncate(file, sizeof(struct counts)) == 0) {
        shared = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    if (shared == MAP_FAILED) { return; }
    dl_iterate_phdr(find_sqlite, NULL);
    pthread_atfork(NULL, NULL, stop_counting);
    counts = shared;
}

void *malloc(size_t size) {
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
    count(__builtin_return_address(0));
    return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
    count(__builtin_return_address(0));
    return __libc_realloc(old, size);
}
void *memalign(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    *out = __libc_memalign(alignment, size);
    return *out == NULL && size != 0 ? ENOMEM : 0;
}
