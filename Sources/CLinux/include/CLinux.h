/*
 * The kernel interfaces that Swift's Glibc module cannot express: variadic functions, macros, packed structs and
 * calls without a wrapper. Every function returns a result >= 0, or -errno: errno is read next to the call.
 */
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "CLinuxCrash.h"
#include "CLinuxEvents.h"
#include "CLinuxNetwork.h"
#include "CLinuxMounts.h"
#include "CLinuxNotices.h"
#include "CLinuxOpenSSL.h"
#include "CLinuxQuota.h"
#include "CLinuxSandbox.h"

/* ---- epoll ---- */
typedef struct clinux_event {
    uint64_t key;
    uint32_t events;
} clinux_event_t;
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t key);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t key);
int clinux_epoll_remove(int epoll, int fd);
/* Waits until an event or for `timeout_ns` (-1: without end). Returns how many events were stored; 0 on EINTR. */
int clinux_epoll_wait(int epoll, clinux_event_t *events, int capacity, int64_t timeout_ns);
#define CLINUX_IN 0x001u
#define CLINUX_PRI 0x002u
#define CLINUX_OUT 0x004u
#define CLINUX_ERR 0x008u
#define CLINUX_HUP 0x010u
#define CLINUX_RDHUP 0x2000u

/* ---- descriptors ---- */
int clinux_openat(int folder, const char *path, int flags, unsigned mode);
/* openat2 with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, refusing links that leave the folder. */
int clinux_open_beneath(int folder, const char *path, int flags);
/* The same without openat2, for kernels and filters that refuse it; `clinux_open_beneath` falls back to it. `path` is
 * relative. 0 for `follows_links`: -ELOOP for every link. At most 64 folders deep. */
int clinux_open_by_parts(int folder, const char *path, int flags, int follows_links);
/* Opens the regular file `path` in the folder `root` for reading, as `user` and in `group` alone (0: as this thread is).
 * `root` is absolute and its real place; `path` is relative, or empty: `root` is the file. No link is followed on the way.
 * The thread is its old self afterwards. */
int clinux_open_as(unsigned user, unsigned group, const char *root, const char *path);
/* renameat2 with RENAME_NOREPLACE: -EEXIST when there is something of that name. */
int clinux_rename_new(int folder, const char *name, int new_folder, const char *new_name);
int clinux_close_range(unsigned first);
int clinux_dup_above(int fd, int lowest);
int clinux_memfd(const char *name);
/* A file in memory with these bytes, to be read from its beginning, that nobody can change any more. */
int clinux_sealed(const char *name, const void *bytes, size_t length);
/* Waits until all that was written to the file system of `fd` is on disk; not for an O_PATH descriptor. */
int clinux_sync_file_system(int fd);
/* Waits for writes of the file that have begun, and reports an error of one that this descriptor was not told of. */
int clinux_check_writes(int fd);
int clinux_pipe(int fds[2], int nonblocking);
int clinux_eventfd(void);                    /* non-blocking, cloexec */
int clinux_timerfd(void);                    /* CLOCK_MONOTONIC, blocking, cloexec */
int clinux_timerfd_arm(int fd, int64_t relative_ns);
int clinux_signalfd(const int *signals, int count);   /* blocks them and returns a non-blocking descriptor */
const char *clinux_signal_name(int signal);  /* such as "TERM"; NULL: it has none */
int clinux_signalfd_read(int fd);            /* signal number, 0 when there is none */

/* ---- sockets ----
 * Those that do not wait give -EAGAIN for a lack of memory as well. */
int clinux_seqpacket_pair(int fds[2], int buffer_size);
/* One message with descriptors. Returns bytes sent. */
int clinux_send(int socket, const void *bytes, size_t length, const int *fds, int count, int flags);
/* One message; descriptors that come along are stored (cloexec), at most `capacity`, others are closed. Returns its
 * length, 0 at end of file, -EMSGSIZE when it was longer than `length`. */
int clinux_receive(int socket, void *bytes, size_t length, int *out_fds, int capacity, int *out_count, int flags);
#define CLINUX_DONTWAIT 0x40

/* Several messages of a SEQPACKET socket with one call, without waiting and without descriptors. Message i is at bytes
 * + i * stride. Returns how many, 0 at end of file, -EAGAIN when there is none; lengths[i] is -1 for a message that was
 * longer than `stride` or carried descriptors. */
int clinux_receive_many(int socket, void *bytes, size_t stride, int *lengths, int capacity);
/* Sends `count` messages; message i is at bytes + offsets[i], with length lengths[i]. Returns how many were sent. */
int clinux_send_many(int socket, const void *bytes, const uint32_t *offsets, const uint32_t *lengths, int count);

/* A Unix datagram socket of no name, and messages as above for the socket at `path`, without waiting. Returns how many were
 * sent; those after one that was refused are not tried. */
int clinux_datagram_socket(void);
int clinux_send_many_to(
    int socket, const char *path, const void *bytes, const uint32_t *offsets, const uint32_t *lengths, int count);

/* ---- Unix stream sockets: non-blocking, cloexec ---- */
/* Binds a new socket whose file has `mode` from the beginning, and listens. */
int clinux_unix_listen(const char *path, unsigned mode, int backlog);
int clinux_unix_connect(const char *path);
/* The same for another type, such as SOCK_DGRAM. -EPROTOTYPE: who listens there has another. */
int clinux_unix_connect_as(const char *path, int type);
/* The path that a Unix socket is bound to, 108 bytes at most with the NUL; empty: it has none. 0 or -errno. */
int clinux_unix_name(int fd, char path[108]);
/* The same, waiting while the listener's queue is full: -EAGAIN when it still is after so many milliseconds. */
int clinux_unix_connect_within(const char *path, int milliseconds);
int clinux_accept(int listener);
typedef struct clinux_peer {
    int pid;
    unsigned user, group;
} clinux_peer_t;
/* The peer of a connection (SO_PEERCRED). */
int clinux_peer(int socket, clinux_peer_t *out_peer);
int clinux_make_nonblocking(int fd);

/* ---- TCP ---- */
/* Binds a new socket to an address of 16 bytes (IPv4 as ::ffff:a.b.c.d) and a port, 0: any, and listens. Its connections send
 * without delay. */
int clinux_tcp_listen(const uint8_t address[16], int port, int backlog);
/* The port that a socket is bound to, or -errno. */
int clinux_tcp_port(int fd);
/* The other end and the own one of a connection as /proc/net/tcp and tcp6 write them, such as 0100007F:1F90. Returns 4 or 6, or
 * -errno. */
int clinux_tcp_names(int fd, char out_peer[48], char out_own[48]);
/* Asks the kernel for the one socket at the other end of a connection within this machine (sock_diag(7)): 1 when it is
 * established, with its user; 0 when there is none; or -errno, -EOPNOTSUPP where the kernel does not answer that. */
int clinux_tcp_peer_user(int fd, uint32_t *out_user);

/* ---- processes ---- */
/* fork() by clone3: the child is placed in the cgroup-2 folder `cgroup` (or -1).
 * Only for a process with one thread. Returns the pid, 0 in the child. */
int clinux_fork(int cgroup);
int clinux_pidfd_open(int pid);
int clinux_pidfd_signal(int pidfd, int signal);
typedef struct clinux_exit {
    int pid;
    int signal;   /* that ended it, or 0 */
    int status;
    int64_t cpu_ns;
    uint64_t peak_bytes;
} clinux_exit_t;
/* Reaps one ended child of any pid. 1 when one was stored, 0 when none has ended, -ECHILD when there are none. */
int clinux_reap(clinux_exit_t *out_exit);
int clinux_await_child(void);                /* waits for a child's end, without reaping it, and returns its number */
/* Reaps exactly `pid`, waiting for its end. */
int clinux_wait(int pid, clinux_exit_t *out_exit);
/* posix_spawn of `path` with descriptors fds[0…count-1] as first, first + 1, …; those behind are closed, no signals blocked.
 * It starts in `folder`; NULL: in this process's. */
int clinux_spawn(const char *path, char *const argv[], char *const envp[], const char *folder, const int *fds, int count,
                 int first);
int clinux_die_with_parent(void);
int clinux_set_dumpable(int on);
int clinux_become_subreaper(void);
int clinux_set_slice(uint64_t nanoseconds); /* of the calling thread; other policies than those of fair shares stay as they are */
int64_t clinux_slice(int thread);           /* nanoseconds; 0: this kernel has one for all, or another policy */
int clinux_no_new_privileges(void);
int clinux_set_limit(int resource, uint64_t value);    /* soft and hard; RLIMIT_* */
int clinux_set_limits(int resource, uint64_t soft, uint64_t hard); /* as far as this process may raise the hard one */
/* Rows and columns, 0 where the terminal does not say; -errno when it is no terminal. */
int clinux_tty_size(int fd, struct winsize *out_size);
/* Makes the C library's stdout flush at every line, pipe or not. */
void clinux_line_buffer_stdout(void);
/* Flushes the C library's stdout and stderr. A stream whose lock another thread keeps for longer than 10 ms is skipped.
 * Other streams are the plugin's: a thread that waits for input holds one forever. */
void clinux_flush_output(void);
int clinux_open_descriptors(void);           /* how many; -errno */
uint64_t clinux_heap_in_use(void);           /* bytes that malloc has given out, of all threads; 0: it does not say */
/* Unmaps pages of read-only segments of the program and its libraries that were touched; files back them. The C library and the
 * loader are left out. Returns how many segments. */
int clinux_release_text(void);
void clinux_note_text(void);                 /* notes those that are mapped; not beside the next one */
/* Releases those that were noted, without a lock of the loader's, and reads at once: what was executed in between would be mapped again.
 * -1 and errno, as read(2). */
ssize_t clinux_read_without_text(int fd, void *bytes, size_t length);
void clinux_trim_heap(void);                 /* gives what malloc holds in vain back to the kernel */
int clinux_blocked_signals(void);            /* 1 when the calling thread blocks any that can be blocked */
int clinux_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
int clinux_futex_wake(uint32_t *word, int count);
int clinux_random(void *bytes, size_t length);
/* How far the clock may be from the true time, in microseconds, by what sets it; 16 s and more: nothing does. -errno. */
int64_t clinux_clock_error(void);

#endif
