/*
 * System calls of other processes that this one is told of (seccomp_unotify(2)). Every function returns a result >= 0, or
 * -errno. It is observation, never a decision: what a pointer leads to may change before the kernel reads it.
 */
#ifndef CLINUX_NOTICES_H
#define CLINUX_NOTICES_H

#include <stddef.h>
#include <stdint.h>

/* One call that waits for its answer. */
typedef struct {
    uint64_t id;
    /* The thread that makes it; 0 where it is in another process namespace. */
    int32_t thread;
    int32_t number;
    uint64_t arguments[6];
} clinux_notice_t;

/* Starts a program in the Landlock domain of `ruleset` (-1: none) and under a filter of `count` instructions, with no_new_privs, this
 * process's descriptors and default dispositions of SIGHUP, SIGINT and SIGTERM. Its execve(2) waits for an answer where the filter says so, and is its first notice.
 * *out_listener gets the calls of the program and its children, *out_handle its end; both are CLOEXEC. Result: its pid. Where the
 * program cannot be executed, it exits with 127, or 126 where it is there. Only for a process with one thread. */
int clinux_watched_spawn(
    const char *path, char *const *words, char *const *variables, const uint64_t *instructions, unsigned count,
    int ruleset, int *out_listener, int *out_handle);

/* Installs a filter in this process, which has one thread, and in what it starts from then on. Result: their calls, where the filter says
 * so; CLOEXEC. */
int clinux_listen(const uint64_t *instructions, unsigned count);
/* Who receives the calls is woken on the processor of the caller, which waits anyway; older kernels refuse it, and are slower. */
void clinux_notices_hurry(int listener);
/* Lets that process look into this one, where the kernel asks (Yama). */
void clinux_allow_tracing(int process);

/* Waits for a call. -ENOENT: its process was killed meanwhile. */
int clinux_notice_receive(int listener, clinux_notice_t *out);
/* 1 while the call waits: what was read of its process belongs to it. */
int clinux_notice_is_waiting(int listener, uint64_t id);
/* The kernel does the call. */
int clinux_notice_continue(int listener, uint64_t id);
/* The call fails with this errno. */
int clinux_notice_refuse(int listener, uint64_t id, int code);

/* The call succeeds with this value. */
int clinux_notice_answer(int listener, uint64_t id, int64_t value);
/* Gives the process a copy of the descriptor `fd`, as its number `target` in place of what that is, or as any (-1). Result: the number. */
int clinux_notice_give(int listener, uint64_t id, int fd, int target, int closes_on_exec);

/* Bytes of another process's memory, until its end or that of what is mapped there: their number. */
int64_t clinux_peek(int process, uint64_t address, void *out, size_t size);

/* What a socket is: socket(2)'s domain, type and protocol, and its file's flags (F_GETFL). */
typedef struct {
    int domain, type, protocol, flags;
} clinux_socket_facts_t;
/* Of a socket of another process. */
int clinux_socket_facts(int process, int fd, clinux_socket_facts_t *out);
/* Connects a socket of another process to an address, if it is one for ICMP echo; else EACCES. */
int clinux_echo_connect(int process, int fd, const void *address, unsigned length);
/* A socket for ICMP echo of AF_INET or AF_INET6, CLOEXEC; EACCES: net.ipv4.ping_group_range has none of the process's groups
 * (icmp(7)). */
int clinux_echo_socket(int domain);
/* An unconnected socket that keeps messages apart (SOCK_SEQPACKET), CLOEXEC. */
int clinux_message_socket(void);
/* Sets O_NONBLOCK, or takes it away. */
int clinux_set_nonblocking(int fd, int is_set);

/* Gives a signal that it was to survive an empty handler: what it executes has the default disposition. */
int clinux_outlive_signal(int number);
/* Ends this process as that signal does by default. */
void clinux_die_by_signal(int number);

#endif
