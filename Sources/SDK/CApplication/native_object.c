/*
 * The class SwiftNativeNSObject, for `actor NAME: NSObject`. The compiler makes it the superclass of such an actor, on Linux too,
 * where no library has it: it would be in a Swift runtime with Objective-C. Here it is a class between NSObject and the actor
 * that adds nothing: the members are NSObject's, copied when the library is mapped. An actor that is generic finds its
 * superclass by name when it is first used: the record below has the name `__C.SwiftNativeNSObject`.
 */
#include "layout.h"

#include <stddef.h>

/* NSObject, as Foundation has it: its metadata have 24 bytes before their address, and 224 after. */
extern const char object_class[] __asm__("$s10Foundation8NSObjectCN");

enum { ROOM_BEFORE = 64, ROOM = 1024 };

/* Has the class at its address. In C there are no variables with an address in their middle. */
__asm__(".pushsection .data.taskhost_native_object, \"aw\"\n"
        ".balign 16\n"
        ".zero 64\n"
        ".globl \"OBJC_CLASS_$_SwiftNativeNSObject\"\n"
        ".type \"OBJC_CLASS_$_SwiftNativeNSObject\", @object\n"
        ".size \"OBJC_CLASS_$_SwiftNativeNSObject\", 1024\n"
        "\"OBJC_CLASS_$_SwiftNativeNSObject\":\n"
        ".zero 1024\n"
        ".popsection\n");
extern char native_class[] __asm__("OBJC_CLASS_$_SwiftNativeNSObject");

/* The records of a class and its module, part of Swift's stable ABI (TargetClassDescriptor, TargetModuleContextDescriptor). */
__asm__(".pushsection .rodata.taskhost_native_object, \"a\"\n"
        ".balign 4\n"
        "taskhost_native_module_name: .asciz \"__C\"\n"
        "taskhost_native_object_name: .asciz \"SwiftNativeNSObject\"\n"
        ".balign 4\n"
        "taskhost_native_module_record:\n"
        ".long 0\n"                                 /* a module */
        ".long 0\n"                                 /* in nothing */
        ".long taskhost_native_module_name - .\n"
        ".globl taskhost_native_object_record\n"
        ".hidden taskhost_native_object_record\n"
        "taskhost_native_object_record:\n"
        ".long 0x50\n"                              /* a class, and one of its name */
        ".long taskhost_native_module_record - .\n"
        ".long taskhost_native_object_name - .\n"
        ".long taskhost_native_object_class - .\n"  /* what finds the class */
        ".long 0\n"                                 /* no fields */
        ".long 0\n"                                 /* no name of a superclass: the class has it */
        ".long 3\n"                                 /* words before its address */
        ".long 0\n"                                 /* and after it: nobody asks */
        ".long 0, 0, 0\n"                           /* no members, no fields, nothing about them */
        ".popsection\n"
        ".pushsection swift5_type_metadata, \"aR\"\n"
        ".balign 4\n"
        ".long taskhost_native_object_record - .\n"
        ".popsection\n");

typedef struct {
    const void *class_;
    /* 0: complete. */
    size_t state;
} found_t;

extern const char native_record[] __asm__("taskhost_native_object_record");

/* `request` says how complete the class has to be. */
__attribute__((swiftcall, used, visibility("hidden"))) found_t taskhost_native_object_class(size_t request) {
    return (found_t){native_class, 0};
}

/* Before any code of the library. */
__attribute__((constructor)) static void make_native_class(void) {
    size_t before = bytes_before(object_class), after = size_of_class(object_class) - before;
    if (before > ROOM_BEFORE || after > ROOM) return;
    memcpy(native_class - before, object_class - before, before + after);
    const void *superclass = object_class, *record = native_record;
    memcpy(native_class + SUPERCLASS_OFFSET, &superclass, sizeof superclass);
    memcpy(native_class + RECORD_OFFSET, &record, sizeof record);
}
