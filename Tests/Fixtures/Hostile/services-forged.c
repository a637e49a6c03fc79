/*
 * Changes the titles of the runs of others, and ends an assertion that was never begun. Expected: exited (or crashed).
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (uint32_t index = 0; index < 64; index += 1) {
        /* kind (title), version, 2 bytes of nothing, length, index, generation; then two texts of one byte. */
        unsigned char title[26] = {45, 1, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 'x', 1, 0, 0, 0, 'x'};
        memcpy(title + 8, &index, 4);
        (void)send(WIRE, title, sizeof title, 0);
    }
    unsigned char ended[24] = {52, 1, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    (void)send(WIRE, ended, sizeof ended, 0);
    sleep_forever();
}
