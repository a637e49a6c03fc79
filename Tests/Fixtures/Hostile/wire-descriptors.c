/* Sends descriptors along with garbage: the host must not take them in. Expected: exited (or crashed or overran). */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    char body[16] = {0};
    struct iovec part = {body, sizeof body};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(16 * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(16 * sizeof(int));
    for (size_t i = 0; i < 16; i += 1) { ((int *)(void *)CMSG_DATA(header))[i] = WIRE; }
    ignore_expiration(task);
    (void)sendmsg(WIRE, &message, 0);
    sleep_forever();
}
