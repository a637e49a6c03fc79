#include "actions.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>

static int opened(int fd) {
    if (fd < 0) { return errno; }
    close(fd);
    return 0;
}
ACTION(read_file) {
    char byte;
    int fd = open(first, O_RDONLY);
    if (fd < 0) { return errno; }
    int result = TRY(read(fd, &byte, 1));
    close(fd);
    return result;
}
ACTION(read_process_file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", targets->victim, first);
    return read_file(path, NULL, targets);
}
ACTION(list_folder) {
    DIR *stream = opendir(first);
    if (stream == NULL) { return errno; }
    closedir(stream);
    return 0;
}
ACTION(write_file) { return opened(open(first, O_WRONLY)); }
ACTION(append_file) { return opened(open(first, O_RDWR | O_APPEND)); }
ACTION(create_file) { return opened(open(first, O_WRONLY | O_CREAT, 0600)); }
ACTION(temporary_file) { return opened(open(first, O_WRONLY | O_TMPFILE, 0600)); }
ACTION(create_setuid) { return opened(open(first, O_WRONLY | O_CREAT, 04755)); }
ACTION(mknod_setuid) { return TRY(mknod(first, S_IFREG | 04755, 0)); }
ACTION(chmod_setuid) {
    int failed = create_file(first, NULL, targets);
    return failed ? failed : TRY(chmod(first, 06755));
}
ACTION(fchmod_setuid) {
    int fd = open(first, O_WRONLY | O_CREAT, 0600);
    struct stat status;
    if (fd < 0) { return errno; }
    int result = TRY(fchmod(fd, 04755));
    /* An answer without the deed is a refusal too. */
    if (result == 0 && fstat(fd, &status) == 0 && !(status.st_mode & S_ISUID)) { result = EPERM; }
    close(fd);
    return result;
}
ACTION(truncate_path) { return TRY(truncate(first, 0)); }
ACTION(change_mode) { return TRY(chmod(first, 0777)); }
ACTION(change_owner) { return TRY(chown(first, getuid(), getgid())); }
ACTION(change_times) { return TRY(utimensat(AT_FDCWD, first, NULL, 0)); }
ACTION(set_attribute) { return TRY(setxattr(first, "user.x", "x", 1, 0)); }
ACTION(unlink_path) { return TRY(unlink(first)); }
ACTION(rename_path) { return TRY(rename(first, second)); }
ACTION(link_path) { return TRY(link(first, second)); }
ACTION(make_folder) { return TRY(mkdir(first, 0700)); }
ACTION(make_fifo) { return TRY(mkfifo(first, 0600)); }
ACTION(make_device) { return TRY(mknod(first, S_IFCHR | 0600, 0x0103)); }
ACTION(make_socket) { return TRY(mknod(first, S_IFSOCK | 0600, 0)); }
/* A link inside to a file outside: second -> first, then opened. */
ACTION(read_through_link) {
    if (symlink(first, second) < 0) { return errno; }
    return read_file(second, NULL, targets);
}
ACTION(write_through_link) {
    if (symlink(first, second) < 0) { return errno; }
    return write_file(second, NULL, targets);
}
/* An O_PATH descriptor may be had; what it leads to may not be opened by it. */
ACTION(reopen_path) {
    char path[64];
    int fd = open(first, O_PATH);
    if (fd < 0) { return errno; }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return read_file(path, NULL, targets);
}
ACTION(open_beneath) {
    struct { uint64_t flags, mode, resolve; } how = {O_RDONLY, 0, 0};
    return opened((int)syscall(SYS_openat2, AT_FDCWD, first, &how, sizeof how));
}
ACTION(shared_memory) {
    int fd = shm_open("/confinement-attack", O_RDWR | O_CREAT, 0600);
    if (fd < 0) { return errno; }
    shm_unlink("/confinement-attack");
    return opened(fd);
}
ACTION(connect_unix) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", first);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) { return errno; }
    return TRY(connect(fd, (struct sockaddr *)&address, sizeof address));
}
/* A datagram pair needs no socket(); re-addressed it would reach any socket path. */
ACTION(readdress_pair) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int pair[2];
    snprintf(address.sun_path, sizeof address.sun_path, "%s", first);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0) { return errno; }
    return TRY(sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}
ACTION(write_memory_of_self) { return opened(open("/proc/self/mem", O_RDWR)); }

const action_t file_actions[] = {
    {"read", read_file}, {"readProcess", read_process_file}, {"list", list_folder}, {"write", write_file},
    {"append", append_file}, {"create", create_file}, {"temporary", temporary_file},
    {"createSetuid", create_setuid}, {"mknodSetuid", mknod_setuid}, {"chmodSetuid", chmod_setuid},
    {"fchmodSetuid", fchmod_setuid}, {"truncate", truncate_path}, {"chmod", change_mode}, {"chown", change_owner},
    {"utimens", change_times}, {"setxattr", set_attribute}, {"unlink", unlink_path}, {"rename", rename_path},
    {"link", link_path}, {"mkdir", make_folder}, {"mkfifo", make_fifo}, {"mkdevice", make_device},
    {"mksocket", make_socket}, {"readThroughLink", read_through_link}, {"writeThroughLink", write_through_link},
    {"reopen", reopen_path}, {"openat2", open_beneath}, {"sharedMemory", shared_memory},
    {"connectUnix", connect_unix}, {"readdressPair", readdress_pair}, {"writeOwnMemory", write_memory_of_self},
    {NULL, NULL},
};
