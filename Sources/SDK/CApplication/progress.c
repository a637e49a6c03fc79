#include "CApplication.h"
#include "layout.h"

/* A member of Progress: Foundation's record of it, and its code. The code is that of the Swift module TaskHostFoundation, which has
 * functions with Foundation's names. */
#define MEMBER(name, symbol)                                                         \
    extern const char name##_record[] __asm__("$s10Foundation8Progress" symbol "Tq"); \
    extern const char name##_code[] __asm__("$s10Foundation8Progress" symbol)
MEMBER(set_completed, "C18completedUnitCounts5Int64Vvs");
MEMBER(change_completed, "C18completedUnitCounts5Int64VvM");
MEMBER(set_total, "C14totalUnitCounts5Int64Vvs");
MEMBER(change_total, "C14totalUnitCounts5Int64VvM");
MEMBER(set_cancelled, "C11isCancelledSbvs");
MEMBER(set_paused, "C8isPausedSbvs");
MEMBER(set_cancellable, "C13isCancellableSbvs");
MEMBER(set_pausable, "C10isPausableSbvs");
MEMBER(add_child, "C8addChild_20withPendingUnitCountyAC_s5Int64VtF");
MEMBER(resign, "C13resignCurrentyyF");
MEMBER(set_info, "C17setUserInfoObject_6forKeyyypSg_AA0bdeH0VtF");

enum { SET_COUNT, CHANGE_COUNT = 2, SET_FLAG = 4, ADD_CHILD = 8, RESIGN, SET_INFO, MEMBERS };
static const char *const records[MEMBERS] = {
    set_completed_record, set_total_record,       change_completed_record, change_total_record,
    set_cancelled_record, set_paused_record,      set_cancellable_record,  set_pausable_record,
    add_child_record,     resign_record,          set_info_record,
};
static const char *const codes[MEMBERS] = {
    set_completed_code, set_total_code,  change_completed_code, change_total_code, set_cancelled_code, set_paused_code,
    set_cancellable_code, set_pausable_code, add_child_code, resign_code, set_info_code,
};
/* Foundation's code, and where a class has it, in bytes after its address. */
static const void *originals[MEMBERS];
static size_t places[MEMBERS];

extern char progress_class[] __asm__("$s10Foundation8ProgressCN");
extern const char progress_record[] __asm__("$s10Foundation8ProgressCMn");
/* Of the Swift runtime. */
extern const void *swift_lookUpClassMethod(const void *class_, const void *member, const void *record);

void taskhost_sdk_announce_changes(const void *class_) {
    char *metadata = (char *)class_;
    for (int member = 0; member < MEMBERS; member++) {
        const void **place = (const void **)(void *)(metadata + places[member]);
        /* Others have the code already, or their own, which calls it. */
        if (places[member] != 0 && __atomic_load_n(place, __ATOMIC_RELAXED) == originals[member])
            __atomic_store_n(place, codes[member], __ATOMIC_RELAXED);
    }
}

/* Before any code of the library: optimized code asks an object for a member once, and calls what it got later on too. */
__attribute__((constructor)) static void replace_members(void) {
    size_t end = size_of_class(progress_class) - bytes_before(progress_class);
    for (int member = 0; member < MEMBERS; member++) {
        originals[member] = swift_lookUpClassMethod(progress_class, records[member], progress_record);
        for (size_t at = FIRST_MEMBER; at < end && places[member] == 0; at += sizeof originals[member])
            if (memcmp(progress_class + at, &originals[member], sizeof originals[member]) == 0) places[member] = at;
    }
    taskhost_sdk_announce_changes(progress_class);
}

#define SELF const void *self __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

void taskhost_sdk_set_count(const void *object, taskhost_count_t which, int64_t value) {
    typedef void (*set_t)(int64_t value, SELF) SWIFT;
    ((set_t)originals[SET_COUNT + which])(value, object);
}

void taskhost_sdk_set_flag(const void *object, taskhost_flag_t which, bool value) {
    typedef void (*set_t)(bool value, SELF) SWIFT;
    ((set_t)originals[SET_FLAG + which])(value, object);
}

void taskhost_sdk_add_child(const void *object, const void *child, int64_t units) {
    typedef void (*add_t)(const void *child, int64_t units, SELF) SWIFT;
    ((add_t)originals[ADD_CHILD])(child, units, object);
}

void taskhost_sdk_resign(const void *object) {
    typedef void (*resign_t)(SELF) SWIFT;
    ((resign_t)originals[RESIGN])(object);
}

void taskhost_sdk_set_info(const void *object, const void *value, const void *key) {
    typedef void (*set_t)(const void *value, void *first, void *second, SELF) SWIFT;
    /* A key is a String: two words, which Swift passes as such. */
    void *words[2];
    memcpy(words, key, sizeof words);
    ((set_t)originals[SET_INFO])(value, words[0], words[1], object);
}
