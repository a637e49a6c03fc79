/* Says again and again that it is ready, with an invented confinement. Expected: crashed. */
#include "../forge.h"

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[FORGED_CONFINEMENT] = {32, 1};
    forge_confinement(frame);
    forge_for_ever(task, frame, sizeof frame);
}
