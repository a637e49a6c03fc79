/* A disk that syncs slowly, as flash of boards does: fsync(2) and fdatasync(2) take SLOWSYNC_MS milliseconds longer. For LD_PRELOAD. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void pause_for_disk(void) {
    const char *text = getenv("SLOWSYNC_MS");
    long span = text == NULL ? 0 : atol(text);
    struct timespec rest = {.tv_sec = span / 1000, .tv_nsec = span % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0) {}
}
int fsync(int fd) {
    pause_for_disk();
    return (int)syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
    pause_for_disk();
    return (int)syscall(SYS_fdatasync, fd);
}
