/*
 * Programs and maps of the kernel's that hold a control group's connections to addresses: bpf(2) without a library. Every
 * function returns a result >= 0, or -errno. Descriptors are CLOEXEC.
 */
#ifndef CLINUX_NETWORK_H
#define CLINUX_NETWORK_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

/* Where a program decides. */
enum {
    CLINUX_CONNECT_4 = BPF_CGROUP_INET4_CONNECT,
    CLINUX_CONNECT_6 = BPF_CGROUP_INET6_CONNECT,
    CLINUX_DATAGRAM_4 = BPF_CGROUP_UDP4_SENDMSG,
    CLINUX_DATAGRAM_6 = BPF_CGROUP_UDP6_SENDMSG,
};

/* A map from prefixes to numbers: keys of `key_size` bytes that begin with their length in bits, a uint32_t; values of four
 * bytes. A look-up finds the longest prefix. */
int clinux_prefix_map(uint32_t key_size, uint32_t entries);
int clinux_prefix_map_set(int map, const void *key, uint32_t value);
/* A missing key is not an error. */
int clinux_prefix_map_remove(int map, const void *key);
/* Loads `count` instructions in the layout of struct bpf_insn. */
int clinux_load_program(const uint64_t *instructions, uint32_t count, int place);
/* For the control group of version 2 and everything below it, for its lifetime; in addition to programs of others. */
int clinux_attach_program(int group, int program, int place);
/* Tries to connect to port 0 of this machine: 1 when a program refuses it, 0 when the network code does. */
int clinux_connections_are_held(void);

#endif
