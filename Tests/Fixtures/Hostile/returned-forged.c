/*
 * Answers for a state of its application that it never got. Expected: exited (or crashed).
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    unsigned char returned[16] = {50, 1, 0, 0, 16, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0};
    (void)send(WIRE, returned, sizeof returned, 0);
    sleep_forever();
}
