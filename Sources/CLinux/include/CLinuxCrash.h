/* A crashing process's report: one or two frames on its wire, from the signal's handler. */
#ifndef CLINUX_CRASH_H
#define CLINUX_CRASH_H

#include <stdint.h>

/* Sets the handlers, and a stack for them in the calling thread. They survive a fork, and report nothing until
 * armed. */
void clinux_crash_prepare(void);
/* From now on this process reports its crash on `wire`, in frames of that kind and version
 * (Sources/Wire/CrashReport.swift). `library` names what was mapped through a descriptor; it is copied. Before any code
 * of a plugin is mapped. */
void clinux_crash_arm(int wire, uint8_t kind, uint8_t version, const char *library);
/* A stack for handlers in the calling thread, for when the thread's own stack overflows; NULL: there is none. Return it
 * before the thread ends. */
void *clinux_crash_stack_begin(void);
void clinux_crash_stack_end(void *stack);

/* The run that the calling thread works on, as its handle's index and generation; ~0: none. */
#define CLINUX_NO_RUN UINT64_MAX

/* Returns the one before. No system call, no allocation. */
uint64_t clinux_set_thread_run(uint64_t run);

/* A place in a mapped file, relative to the file. The path is empty if the file is unknown, otherwise valid while it is
 * mapped. */
typedef struct {
    const char *path;
    uint64_t offset;
} clinux_code_place_t;

/* Where the calls return to that led out of this executable to the calling code: innermost first, `most` at most. Returns how
 * many there are. No system call, no allocation once the handlers were set. */
int clinux_callers(clinux_code_place_t *places, int most);

#endif
