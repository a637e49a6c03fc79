/* Shared by the files of actions. */
#ifndef ACTIONS_H
#define ACTIONS_H

#include "ConfinementAttacks.h"
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct action {
    const char *name;
    int (*run)(const char *first, const char *second, const attack_targets_t *targets);
} action_t;

extern const action_t file_actions[], process_actions[], kernel_actions[], network_actions[], honest_actions[];

#define ACTION(function) static int function(const char *first, const char *second, const attack_targets_t *targets)
/* The verdict on a call that returns a negative number on failure. */
#define TRY(call) ((call) < 0 ? errno : 0)

#endif
