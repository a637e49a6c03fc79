/* Says again and again what its confinement is. Expected: crashed. */
#include "../forge.h"

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[FORGED_CONFINEMENT] = {40, 1};
    forge_confinement(frame);
    forge_for_ever(task, frame, sizeof frame);
}
