/*
 * Forges frames that complete the runs of others: every handle that a run is likely to have. Expected: exited (or
 * crashed or succeeded).
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (uint32_t index = 0; index < 64; index += 1) {
        for (uint32_t generation = 0; generation < 16; generation += 1) {
            /* kind (completed), version, 2 bytes of nothing, length, index, generation; then success without a result. */
            unsigned char frame[32] = {34, 1, 0, 0, 32, 0, 0, 0};
            memcpy(frame + 8, &index, 4);
            memcpy(frame + 12, &generation, 4);
            frame[16] = 1;
            (void)send(WIRE, frame, sizeof frame, 0);
        }
    }
    sleep_forever();
}
