#include "actions.h"
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <termios.h>

/* Raw calls: glibc's wrappers act on all threads and some are missing. Arguments are valid as far as it takes to tell
 * "forbidden" from "wrong". */
static char page[4096];

ACTION(become_root) { return TRY(syscall(SYS_setuid, 0)); }
ACTION(become_root_fully) { return TRY(syscall(SYS_setresuid, 0, 0, 0)); }
ACTION(become_root_group) { return TRY(syscall(SYS_setgid, 0)); }
ACTION(join_groups) {
    gid_t group = 0;
    return TRY(syscall(SYS_setgroups, 1, &group));
}
ACTION(set_capabilities) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{.effective = 1, .permitted = 1}};
    return TRY(syscall(SYS_capset, &header, data));
}
ACTION(drop_bound) { return TRY(prctl(PR_CAPBSET_DROP, CAP_CHOWN, 0, 0, 0)); }
ACTION(mount_tmpfs) { return TRY(mount("none", first, "tmpfs", 0, "")); }
ACTION(unmount) { return TRY(umount2(first, MNT_DETACH)); }
ACTION(change_root) { return TRY(chroot(first)); }
ACTION(unshare_user) { return TRY(unshare(CLONE_NEWUSER)); }
ACTION(unshare_files) { return TRY(unshare(CLONE_FS)); }
ACTION(enter_namespace) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/uts", targets->victim);
    int fd = open(path, O_RDONLY);
    return fd < 0 ? errno : TRY(setns(fd, 0));
}
/* BPF_MAP_CREATE of an array of one */
ACTION(make_bpf) {
    uint32_t attributes[32] = {2, 4, 4, 1};
    return TRY(syscall(SYS_bpf, 0, attributes, sizeof attributes));
}
/* PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, of this process */
ACTION(open_perf) {
    uint64_t attributes[16] = {1ULL | 112ULL << 32, 9};
    return TRY(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
}
/* KEYCTL_JOIN_SESSION_KEYRING */
ACTION(join_keyring) { return TRY(syscall(SYS_keyctl, 1, "x", 0, 0, 0)); }
ACTION(add_key) { return TRY(syscall(SYS_add_key, "user", "x", "x", 1, -2)); }
ACTION(request_key) { return TRY(syscall(SYS_request_key, "user", "x", NULL, 0)); }
ACTION(make_uring) {
    memset(page, 0, 120);
    return TRY(syscall(SYS_io_uring_setup, 2, page));
}
ACTION(make_userfaultfd) { return TRY(syscall(SYS_userfaultfd, 1)); } /* UFFD_USER_MODE_ONLY */
ACTION(make_memory_file) { return TRY(syscall(SYS_memfd_create, "x", 0)); }
ACTION(make_inotify) { return TRY(syscall(SYS_inotify_init1, 0)); }
ACTION(make_fanotify) { return TRY(syscall(SYS_fanotify_init, 0x200, 0)); }
ACTION(no_randomisation) { return TRY(syscall(SYS_personality, 0x0040000)); }
ACTION(read_kernel_log) { return TRY(syscall(SYS_syslog, 3, page, sizeof page)); }
ACTION(file_handle) {
    struct { unsigned bytes; int kind; char data[128]; } handle = {.bytes = 128};
    int mount;
    return TRY(syscall(SYS_name_to_handle_at, AT_FDCWD, first, &handle, &mount, 0));
}
ACTION(new_filter) {
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &allow};
    return TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}
ACTION(old_filter) {
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &allow};
    return TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}
ACTION(new_ruleset) {
    uint64_t handled = 4;
    return TRY(syscall(444, &handled, sizeof handled, 0));
}
ACTION(add_rule) {
    uint64_t handled = 4;
    struct { uint64_t access; int fd; } __attribute__((packed)) rule = {4, 0};
    int fd = (int)syscall(444, &handled, sizeof handled, 0);
    rule.fd = open("/usr/lib", O_PATH);
    return TRY(syscall(445, fd < 0 ? 5 : fd, 1, &rule, 0));
}
ACTION(shared_segment) {
    int id = shmget(IPC_PRIVATE, 4096, 0600 | IPC_CREAT);
    return id < 0 ? errno : TRY(shmctl(id, IPC_RMID, NULL));
}
ACTION(semaphores) {
    int id = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    return id < 0 ? errno : TRY(semctl(id, 0, IPC_RMID));
}
ACTION(message_queue) {
    int id = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
    return id < 0 ? errno : TRY(msgctl(id, IPC_RMID, NULL));
}
ACTION(posix_queue) {
    if (mq_open("/confinement-attack", O_RDWR | O_CREAT, 0600, NULL) < 0) { return errno; }
    return TRY(mq_unlink("/confinement-attack"));
}
ACTION(type_into_terminal) {
    int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    return TRY(ioctl(fd < 0 ? 0 : fd, TIOCSTI, "x"));
}
ACTION(open_terminal) { return TRY(open("/dev/ptmx", O_RDWR | O_NOCTTY)); }
ACTION(console_selection) { return TRY(ioctl(0, TIOCLINUX, page)); }
ACTION(load_module) { return TRY(syscall(SYS_init_module, page, 0, "")); }
ACTION(quota) { return TRY(syscall(SYS_quotactl, 0x800001 << 8, NULL, 0, NULL)); }
ACTION(set_clock) { return TRY(syscall(SYS_clock_settime, 0, NULL)); }
ACTION(set_name_of_machine) { return TRY(syscall(SYS_sethostname, page, 0)); }
ACTION(sync_all) { return TRY(syscall(SYS_sync)); }
#if defined(__x86_64__)
ACTION(local_descriptors) { return TRY(syscall(SYS_modify_ldt, 0, page, 8)); }
ACTION(other_numbers) { return TRY(syscall(0x40000000 + 39)); }
ACTION(old_interrupt) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return result < 0 ? (int)-result : 0;
}
#endif
ACTION(unknown_call) { return TRY(syscall(5000)); }

const action_t kernel_actions[] = {
    {"setuid", become_root}, {"setresuid", become_root_fully}, {"setgid", become_root_group},
    {"setgroups", join_groups}, {"capset", set_capabilities}, {"capbset", drop_bound}, {"mount", mount_tmpfs},
    {"umount", unmount}, {"chroot", change_root}, {"unshareUser", unshare_user}, {"unshare", unshare_files},
    {"setns", enter_namespace}, {"bpf", make_bpf}, {"perf", open_perf}, {"keyring", join_keyring},
    {"addKey", add_key}, {"requestKey", request_key}, {"uring", make_uring}, {"userfaultfd", make_userfaultfd},
    {"memfd", make_memory_file}, {"inotify", make_inotify}, {"fanotify", make_fanotify},
    {"personality", no_randomisation}, {"syslog", read_kernel_log}, {"fileHandle", file_handle},
    {"seccomp", new_filter}, {"oldSeccomp", old_filter}, {"landlock", new_ruleset}, {"addRule", add_rule},
    {"shm", shared_segment}, {"sem", semaphores}, {"msg", message_queue}, {"mq", posix_queue},
    {"tiocsti", type_into_terminal}, {"ptmx", open_terminal}, {"tioclinux", console_selection},
    {"module", load_module}, {"quota", quota}, {"clock", set_clock}, {"hostname", set_name_of_machine},
    {"sync", sync_all},
#if defined(__x86_64__)
    {"ldt", local_descriptors}, {"x32", other_numbers}, {"int80", old_interrupt},
#endif
    {"unknownCall", unknown_call},
    {NULL, NULL},
};
