/*
 * Swift's own layout of a class on Linux, part of its stable ABI: where its metadata have what, in bytes after their address.
 */
#ifndef TASKHOST_CAPPLICATION_LAYOUT_H
#define TASKHOST_CAPPLICATION_LAYOUT_H

#include <stdint.h>
#include <string.h>

enum {
    SUPERCLASS_OFFSET = 8,
    /* The size of the metadata, and how much of it is before their address. */
    SIZE_OFFSET = 32,
    ADDRESS_OFFSET = 36,
    RECORD_OFFSET = 40,
    /* The first member that a class adds. */
    FIRST_MEMBER = 48,
};

static inline uint32_t size_of_class(const char *metadata) {
    uint32_t size;
    memcpy(&size, metadata + SIZE_OFFSET, sizeof size);
    return size;
}

static inline uint32_t bytes_before(const char *metadata) {
    uint32_t bytes;
    memcpy(&bytes, metadata + ADDRESS_OFFSET, sizeof bytes);
    return bytes;
}

#endif
