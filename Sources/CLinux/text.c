#include "CLinux.h"
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
/* Segments that files back: the pages of one that may be written are no file's. */
struct segments {
    int count;
    struct { uintptr_t from, to; } of[256];
};
static int find_segments(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct segments *found = context;
    if (may_be_patched(info->dlpi_name) || has_text_relocations(info)) { return 0; }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum && found->count < (int)(sizeof found->of / sizeof *found->of); i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) { continue; }
        uintptr_t from = (info->dlpi_addr + header->p_vaddr) & ~(page - 1);
        uintptr_t to = (info->dlpi_addr + header->p_vaddr + header->p_filesz) & ~(page - 1);
        if (to <= from) { continue; }
        found->of[found->count].from = from;
        found->of[found->count++].to = to;
    }
    return 0;
}
static int unmap(const struct segments *found) {
    int unmapped = 0;
    for (int i = 0; i < found->count; i++) {
        unmapped += madvise((void *)found->of[i].from, found->of[i].to - found->of[i].from, MADV_DONTNEED) == 0;
    }
    return unmapped;
}
int clinux_release_text(void) {
    struct segments found = {0};
    dl_iterate_phdr(find_segments, &found);
    return unmap(&found);
}

static struct segments noted;
void clinux_note_text(void) {
    noted.count = 0;
    dl_iterate_phdr(find_segments, &noted);
}
ssize_t clinux_read_without_text(int fd, void *bytes, size_t length) {
    (void)unmap(&noted);
    return read(fd, bytes, length);
}
