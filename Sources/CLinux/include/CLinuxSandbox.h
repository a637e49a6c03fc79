/*
 * What a worker needs to confine itself. Every function returns a result >= 0, or -errno. None allocates memory, so all
 * may be called between fork and the first plugin code. Only for a process with one thread: credentials, filters and
 * Landlock domains belong to threads.
 */
#ifndef CLINUX_SANDBOX_H
#define CLINUX_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

/* ---- state that a fork inherits ---- */
/* Default dispositions for all signals, except that SIGPIPE and SIGXFSZ are ignored; none blocked. */
int clinux_reset_signals(void);
/* Blocks no signal. */
int clinux_unblock_signals(void);
/* Root keeps its capabilities in this process; programs that it executes permanently have only SETGID, SETUID and
 * SETPCAP. Where they execute ping(8), NET_RAW stays in the bounding set, and they may change the flag KEEP_CAPS. */
int clinux_lock_capabilities(int executes_ping);
/* Permitted capabilities of a file, by number, which this process's bounding set lacks: then it cannot be executed (EPERM). */
uint64_t clinux_capabilities_beyond_bounds(const char *path);
/* Root keeps these of its capabilities, by number, and so do the programs that it executes: no others. */
int clinux_keep_capabilities(uint64_t kept);

/* ---- descriptors ---- */
/* Makes descriptor i a copy of sources[i] for i below `count` (at most 8), closed where the source is -1, and closes
 * all others. The sources may be any numbers, also below `count`, also repeated. */
int clinux_arrange_descriptors(const int *sources, int count);

/* ---- limits ---- */
/* Resources of setrlimit(2) whose names are macros, which Swift's Glibc module leaves out. */
enum {
    CLINUX_LIMIT_PROCESSES = RLIMIT_NPROC,
    CLINUX_LIMIT_LOCKED_MEMORY = RLIMIT_MEMLOCK,
    CLINUX_LIMIT_QUEUED_SIGNALS = RLIMIT_SIGPENDING,
    CLINUX_LIMIT_MESSAGE_QUEUES = RLIMIT_MSGQUEUE,
    CLINUX_LIMIT_NICE = RLIMIT_NICE,
    CLINUX_LIMIT_REALTIME = RLIMIT_RTPRIO,
    CLINUX_LIMIT_CORE = RLIMIT_CORE,
    CLINUX_LIMIT_STACK = RLIMIT_STACK,
    CLINUX_LIMIT_OPEN_FILES = RLIMIT_NOFILE,
    CLINUX_LIMIT_FILE_SIZE = RLIMIT_FSIZE,
    CLINUX_LIMIT_DATA = RLIMIT_DATA,
};

/* ---- credentials ---- */
enum {
    CLINUX_STAGE_GROUPS = 1,       /* setgroups */
    CLINUX_STAGE_GROUP = 2,        /* setresgid */
    CLINUX_STAGE_USER = 3,         /* setresuid */
    CLINUX_STAGE_CAPABILITIES = 4, /* capset */
    CLINUX_STAGE_RETURN = 5,       /* setuid(0) worked afterwards */
};
/* Root permanently becomes `user` and `group`, with `count` other groups: no way back, and no capabilities unless root stays
 * root and `keeps` them. *out_stage says which step failed. */
int clinux_become(unsigned user, unsigned group, const unsigned *groups, int count, int keeps, int *out_stage);
/* What ps shows of the calling thread. */
int clinux_set_name(const char *name);
/* Makes the null-terminated list the environment. It is not copied: it must live as long as the process. */
void clinux_set_environment(char **variables);
/* 1 when `parent` is this process's parent no more, or the other end of the socket `wire` is closed. */
int clinux_is_orphan(int parent, int wire);
/* Bytes of private writable memory as RLIMIT_DATA counts them. */
int64_t clinux_data_size(void);

/* ---- Landlock ---- */
/* The version of the interface; -EOPNOTSUPP or -ENOSYS where it is missing. */
int clinux_landlock_abi(void);
/* A ruleset that handles these rights; `network` and `scopes` are 0 where the version lacks them. */
int clinux_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes);
int clinux_landlock_allow_file(int ruleset, int fd, uint64_t access);
int clinux_landlock_allow_port(int ruleset, uint16_t port, uint64_t access);
/* With `logs_programs` what is refused after an execve is recorded in the audit log too: from version 7. */
int clinux_landlock_restrict(int ruleset, int logs_programs);
/* O_PATH descriptor of `path` when no part of it is a symbolic link, else -ELOOP. */
int clinux_open_path_without_links(const char *path);
/* The text of a symbolic link, cut at `size`. -EINVAL: not a link. */
int clinux_readlink(const char *path, char *out, size_t size);
/* The file that the running program has `symbol` from. Its length, without a NUL. */
int clinux_file_of_symbol(const char *symbol, char *out, size_t size);

/* ---- seccomp ---- */
/* Installs a filter for the whole process: `count` instructions in the layout of struct sock_filter. */
int clinux_seccomp_install(const uint64_t *instructions, unsigned count);

#endif
