#include "CApplication.h"
#include "layout.h"

typedef void *(*allocating_init_t)(void *class_ __attribute__((swift_context))) __attribute__((swiftcall));

void *taskhost_sdk_make_object(const void *class_, const void *base, const void *base_init) {
    const char *metadata = base;
    size_t end = size_of_class(metadata) - bytes_before(metadata);
    /* A subclass has the table of its superclass at the same place, with what it overrides. */
    for (size_t at = FIRST_MEMBER; at + sizeof base_init <= end; at += sizeof base_init) {
        const void *member;
        memcpy(&member, metadata + at, sizeof member);
        if (member != base_init) continue;
        allocating_init_t make;
        memcpy(&make, (const char *)class_ + at, sizeof make);
        return make((void *)class_);
    }
    return NULL;
}
