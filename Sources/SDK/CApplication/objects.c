#include "CApplication.h"

#include <string.h>

/* Swift's own layout of a class on Linux, part of its stable ABI: bytes before the size of the metadata, and before its first
 * member that a class adds. */
enum { SIZE_OFFSET = 32, ADDRESS_OFFSET = 36, FIRST_MEMBER = 48 };

typedef void *(*allocating_init_t)(void *class_ __attribute__((swift_context))) __attribute__((swiftcall));

void *taskhost_sdk_make_object(const void *class_, const void *base, const void *base_init) {
    const char *metadata = base;
    uint32_t size, address;
    memcpy(&size, metadata + SIZE_OFFSET, sizeof size);
    memcpy(&address, metadata + ADDRESS_OFFSET, sizeof address);
    /* A subclass has the table of its superclass at the same place, with what it overrides. */
    for (size_t at = FIRST_MEMBER; at + sizeof base_init <= size - address; at += sizeof base_init) {
        const void *member;
        memcpy(&member, metadata + at, sizeof member);
        if (member != base_init) continue;
        allocating_init_t make;
        memcpy(&make, (const char *)class_ + at, sizeof make);
        return make((void *)class_);
    }
    return NULL;
}
