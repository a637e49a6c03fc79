/* What a hostile plugin would try, and what an honest one does; each is one function that runs in a separate child. */
#ifndef CONFINEMENT_ATTACKS_H
#define CONFINEMENT_ATTACKS_H

#include <stdint.h>

/* What the attacks aim at; set before the fork. */
typedef struct attack_targets {
    int victim;           /* a process of the host's user that can be traced */
    uint16_t granted_port; /* TCP listeners on the loopback address */
    uint16_t other_port;
} attack_targets_t;

/* Runs the action. 0: it was done; an errno: it was refused; ATTACK_UNKNOWN: there is no action of this name;
 * ATTACK_BROKEN: it was done with a wrong result. */
int attack_run(const char *name, const char *first, const char *second, const attack_targets_t *targets);
enum { ATTACK_UNKNOWN = 255, ATTACK_BROKEN = 254 };

/* Removes a folder with all that it holds. */
void attack_remove_tree(const char *path);
/* A TCP listener on a free port of the loopback address; its descriptor, or -errno. */
int attack_listen(uint16_t *out_port);
/* A process that waits to be killed: traceable, ends with its parent. Its pid. */
int attack_make_victim(unsigned user);

#endif
