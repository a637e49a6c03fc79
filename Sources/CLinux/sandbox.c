#include "CLinuxSandbox.h"
#include "CLinux.h"
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- state that a fork inherits ---- */

int clinux_unblock_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) < 0 ? -errno : 0;
}

int clinux_reset_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        if (number == SIGKILL || number == SIGSTOP) { continue; }
        struct sigaction action = {.sa_handler = number == SIGPIPE || number == SIGXFSZ ? SIG_IGN : SIG_DFL};
        /* glibc keeps two real-time signals for itself and answers EINVAL. */
        if (sigaction(number, &action, NULL) < 0 && errno != EINVAL) { return -errno; }
    }
    return clinux_unblock_signals();
}

/* What an exec keeps for a fresh worker, so that it can become its own user. */
static const int kept_capabilities[] = {CAP_SETGID, CAP_SETUID, CAP_SETPCAP};
enum { KEPT = sizeof kept_capabilities / sizeof *kept_capabilities };

int clinux_lock_capabilities(int executes_ping) {
    /* Locked: user 0 brings no capability back by exec or setuid, and nothing is raised into the ambient set any more. */
    const unsigned long locks = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
        SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED | (executes_ping ? 0 : SECBIT_KEEP_CAPS_LOCKED);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    if (syscall(SYS_capget, &header, data) < 0) { return -errno; }
    /* The ambient set is the one way past SECBIT_NOROOT (capabilities(7)); it needs the inheritable set. A fresh worker
     * has the lock already, and has its capabilities from this. */
    for (int i = 0; i < KEPT; i++) { data[0].inheritable |= data[0].permitted & 1u << kept_capabilities[i]; }
    if (syscall(SYS_capset, &header, data) < 0) { return -errno; }
    for (int i = 0; i < KEPT; i++) {
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept_capabilities[i], 0, 0) < 0 && errno != EPERM) { return -errno; }
    }
    /* EINVAL: past the kernel's last capability. EPERM: no SETPCAP, as in some containers; no_new_privs and the user
     * that is given up hold without the locks. */
    errno = 0;
    for (int capability = 0; capability < 64 && errno == 0; capability++) {
        if (executes_ping && capability == CAP_NET_RAW) { continue; }
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
    if (errno != 0 && errno != EINVAL && errno != EPERM) { return -errno; }
    return prctl(PR_SET_SECUREBITS, locks, 0, 0, 0) < 0 && errno != EPERM ? -errno : 0;
}

uint64_t clinux_capabilities_beyond_bounds(const char *path) {
    struct vfs_ns_cap_data data = {0};
    if (getxattr(path, "security.capability", &data, sizeof data) < (ssize_t)XATTR_CAPS_SZ_1) { return 0; }
    uint64_t found = 0;
    for (int capability = 0; capability < 64; capability++) {
        uint32_t half = le32toh(data.data[capability / 32].permitted);
        if (half >> capability % 32 & 1 && prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 0) { found |= 1ull << capability; }
    }
    return found;
}

int clinux_keep_capabilities(uint64_t kept) {
    const unsigned long locks = SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    if (syscall(SYS_capget, &header, data) < 0) { return -errno; }
    /* By exec user 0 gets what is in the bounding set (capabilities(7)). */
    for (int capability = 0; capability < 64; capability++) {
        if (kept >> capability & 1) { continue; }
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) { continue; }
        if (errno == EINVAL) { break; }
        return -errno;
    }
    if (prctl(PR_SET_SECUREBITS, locks, 0, 0, 0) < 0) { return -errno; }
    for (int half = 0; half < 2; half++) {
        data[half].permitted &= (uint32_t)(kept >> 32 * half);
        data[half].effective = data[half].permitted;
        data[half].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

/* ---- descriptors ---- */

enum { MAXIMUM_TARGETS = 8 };

int clinux_arrange_descriptors(const int *sources, int count) {
    int moved[MAXIMUM_TARGETS];
    if (count > MAXIMUM_TARGETS) { return -EINVAL; }
    for (int i = 0; i < count; i++) {
        moved[i] = sources[i];
        /* A source among the targets would be overwritten before its turn: move it out of the way. */
        if (sources[i] < 0 || sources[i] >= count || sources[i] == i) { continue; }
        moved[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, count);
        if (moved[i] < 0) { return -errno; }
    }
    for (int i = 0; i < count; i++) {
        if (moved[i] < 0) {
            if (close(i) < 0 && errno != EBADF) { return -errno; }
        } else if (moved[i] != i) {
            if (dup2(moved[i], i) < 0) { return -errno; }
        } else if (fcntl(i, F_SETFD, 0) < 0) { /* dup2 onto itself would not clear CLOEXEC */
            return -errno;
        }
    }
    return clinux_close_range((unsigned)count);
}

/* ---- credentials ---- */

int clinux_become(unsigned user, unsigned group, const unsigned *groups, int count, int keeps, int *out_stage) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};

    /* To the kernel these mean "no change": the process would stay who it is. */
    *out_stage = CLINUX_STAGE_GROUP;
    if (group == (unsigned)-1) { return -EINVAL; }
    *out_stage = CLINUX_STAGE_USER;
    if (user == (unsigned)-1) { return -EINVAL; }
    *out_stage = CLINUX_STAGE_GROUPS;
    if (setgroups((size_t)count, groups) < 0) { return -errno; }
    *out_stage = CLINUX_STAGE_GROUP;
    if (setresgid(group, group, group) < 0) { return -errno; }
    *out_stage = CLINUX_STAGE_USER;
    if (setresuid(user, user, user) < 0) { return -errno; }
    *out_stage = CLINUX_STAGE_CAPABILITIES; /* also empties the ambient set, which lies within the inheritable one */
    if (!keeps && syscall(SYS_capset, &header, none) < 0) { return -errno; }
    *out_stage = CLINUX_STAGE_RETURN;
    if ((user != 0 && setuid(0) == 0) || (group != 0 && setgid(0) == 0)) { return -ENOTRECOVERABLE; }
    return 0;
}

int clinux_set_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0) < 0 ? -errno : 0; }

void clinux_set_environment(char **variables) { environ = variables; }

int clinux_is_orphan(int parent, int wire) {
    struct pollfd end = {.fd = wire};
    if (getppid() != parent) { return 1; }
    int ready = poll(&end, 1, 0);
    if (ready < 0) { return errno == EINTR ? 0 : -errno; }
    return (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

int64_t clinux_data_size(void) {
    char text[128];
    long data = -1;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) { return -errno; }
    ssize_t length = read(fd, text, sizeof text - 1);
    int failed = length < 0 ? -errno : 0;
    close(fd);
    if (failed) { return failed; }
    text[length] = 0;
    /* proc_pid_statm(5): size resident shared text lib data dt, in pages; `data` counts the stack too. */
    if (sscanf(text, "%*d %*d %*d %*d %*d %ld", &data) != 1) { return -EPROTO; }
    return (int64_t)data * sysconf(_SC_PAGESIZE);
}

/* ---- Landlock: numbers and layouts of linux/landlock.h, which older distributions lack ---- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
enum { CREATE_VERSION = 1, RULE_PATH = 1, RULE_PORT = 2 };
struct ruleset_attributes {
    uint64_t files, network, scopes;
};
struct path_rule {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));
struct port_rule {
    uint64_t access, port;
};

int clinux_landlock_abi(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);
    return version < 0 ? -errno : (int)version;
}
int clinux_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes) {
    struct ruleset_attributes attributes = {.files = files, .network = network, .scopes = scopes};
    /* An older kernel refuses a longer structure, even when its new members are 0 it must not be told of them. */
    size_t size = scopes ? 24 : network ? 16 : 8;
    long fd = syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    return fd < 0 ? -errno : (int)fd;
}
int clinux_landlock_allow_file(int ruleset, int fd, uint64_t access) {
    struct path_rule rule = {.access = access, .parent = fd};
    return syscall(SYS_landlock_add_rule, ruleset, RULE_PATH, &rule, 0) < 0 ? -errno : 0;
}
int clinux_landlock_allow_port(int ruleset, uint16_t port, uint64_t access) {
    struct port_rule rule = {.access = access, .port = port};
    return syscall(SYS_landlock_add_rule, ruleset, RULE_PORT, &rule, 0) < 0 ? -errno : 0;
}
int clinux_landlock_restrict(int ruleset, int logs_programs) {
    const unsigned new_exec_on = 1u << 1; /* LANDLOCK_RESTRICT_SELF_LOG_NEW_EXEC_ON, from version 7 */
    return syscall(SYS_landlock_restrict_self, ruleset, logs_programs ? new_exec_on : 0) < 0 ? -errno : 0;
}

int clinux_readlink(const char *path, char *out, size_t size) {
    ssize_t length = readlink(path, out, size);
    return length < 0 ? -errno : (int)length;
}

int clinux_file_of_symbol(const char *symbol, char *out, size_t size) {
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, symbol);
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) { return -ENOENT; }
    size_t length = strlen(info.dli_fname);
    if (length > size) { return -ENAMETOOLONG; }
    memcpy(out, info.dli_fname, length);
    return (int)length;
}

/* ---- seccomp ---- */

_Static_assert(sizeof(struct sock_filter) == sizeof(uint64_t), "an instruction is eight bytes");

int clinux_seccomp_install(const uint64_t *instructions, unsigned count) {
    struct sock_fprog program = {
        .len = (unsigned short)count,
        .filter = (struct sock_filter *)(uintptr_t)instructions,
    };
    if (count == 0 || count > BPF_MAXINSNS) { return -EINVAL; }
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}
