/*
 * Forges frames that complete the runs of others: every handle that a run is likely to have. Expected: exited (or
 * crashed or succeeded).
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    /* kind (denied), version, 2 bytes of nothing, length, handle; then the access, the place and no purpose. */
    unsigned char denied[32] = {62, 1, 0, 0, 29, 0, 0, 0, [16] = 3, [17] = 4, [21] = '/', 't', 'm', 'p'};
    (void)send(WIRE, denied, 29, 0);
    uint32_t last = UINT32_MAX;
    unsigned char beyond[32] = {34, 1, 0, 0, 32, 0, 0, 0, [16] = 1};
    memcpy(beyond + 8, &last, 4);
    (void)send(WIRE, beyond, sizeof beyond, 0);
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
