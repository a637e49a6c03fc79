/*
 * Names of hosts: asked for where that may take its time, and answered from a list where no plugin may ask.
 *
 * A program that this is linked into has a getaddrinfo of its own, which its libraries use as well: names of the list get
 * the list's addresses, all others go to the C library. A worker is held to the addresses that the host found for a name,
 * and the answers of name servers change from one question to the next, so both have to use the same.
 */
#ifndef CNAMES_H
#define CNAMES_H

#include <stddef.h>

/* Replaces the list. A line is a name and its addresses, each after a space; they are copied. Any thread; a process that
 * was forked keeps the list that it had. 0, or -ENOMEM. */
int cnames_set(const char *const *lines, size_t count);

/* Resolves all names at once, a thread each, and writes a line to `fd` for each address found: the name's index, a
 * space, the address. At most 32 addresses a name. Returns when all are answered, without a timeout. 0, or -errno. */
int cnames_ask(const char *const *names, size_t count, int fd);

#endif
