#include "CLinuxMounts.h"
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

int clinux_own_mounts(void) {
    if (unshare(CLONE_NEWNS) < 0) { return -errno; }
    /* What the machine mounts later comes in, what is mounted here does not get out (mount_namespaces(7)). */
    return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 ? -errno : 0;
}

int clinux_mount_memory(const char *place, const char *options) {
    return mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0 ? -errno : 0;
}

int clinux_bind_file(const char *file, const char *place) {
    return mount(file, place, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}
