/*
 * Where the kernel announces changes of the machine: netlink and the clock. Descriptors are non-blocking and
 * cloexec. Every function returns a result >= 0, or -errno.
 */
#ifndef CLINUX_EVENTS_H
#define CLINUX_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* ---- netlink (netlink(7)) ---- */
#define CLINUX_NETLINK_ROUTE 0
#define CLINUX_NETLINK_AUDIT 9
#define CLINUX_NETLINK_UEVENT 15
#define CLINUX_NETLINK_GENERIC 16
/* A socket bound to the first 32 multicast groups in `groups`. */
int clinux_netlink_open(int protocol, uint32_t groups);
/* The socket's own port, which replies to it carry in their headers. */
int clinux_netlink_port(int socket, uint32_t *out_port);
/* Joins a multicast group by its number. */
int clinux_netlink_join(int socket, uint32_t group);
/* Makes the kernel honour the filters in a dump's header; older kernels ignore them. */
/* The kernel drops messages of all types but these two. */
int clinux_netlink_take_only(int socket, uint16_t first, uint16_t second);
int clinux_netlink_filter_dumps(int socket);
/* One datagram to the kernel. */
int clinux_netlink_send(int socket, const void *bytes, size_t length);
/* One datagram. Returns its length; *out_port tells the sender, 0 for the kernel. -EMSGSIZE: it was longer than
 * `length`; -ENOBUFS: some were lost; -EAGAIN: there is none. */
int clinux_netlink_receive(int socket, void *bytes, size_t length, uint32_t *out_port);

/* ---- clocks ---- */
/* A timer that never runs out and becomes readable when the wall clock is set, or the machine resumes from sleep. */
int clinux_clock_watch(void);
/* 1 when the clock was set since the last call; re-arms the timer. 0: it was not. */
int clinux_clock_watch_read(int fd);

#endif
