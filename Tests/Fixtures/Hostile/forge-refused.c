/* Says again and again that it cannot serve, at length. Expected: crashed. */
#include "../forge.h"

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[4020] = {33, 1};
    uint32_t size = 4000;
    memcpy(frame + 16, &size, 4);
    memset(frame + 20, 'x', size);
    forge_for_ever(task, frame, sizeof frame);
}
