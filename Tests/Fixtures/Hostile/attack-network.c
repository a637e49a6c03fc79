/*
 * Connects to the network, by every way there is. Succeeds only when that is refused. A connection without an answer
 * was not refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    static const int kinds[][3] = {
        {AF_INET, SOCK_STREAM, 0}, {AF_INET, SOCK_DGRAM, 0}, {AF_INET6, SOCK_STREAM, 0}, {AF_INET, SOCK_STREAM, 262 /* MPTCP */},
        {AF_NETLINK, SOCK_RAW, 0}, {AF_PACKET, SOCK_RAW, 0},
    };
    int breaches = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += 1) {
        char attack[64];
        snprintf(attack, sizeof attack, "family %d type %d protocol %d", kinds[i][0], kinds[i][1], kinds[i][2]);
        int descriptor = socket(kinds[i][0], kinds[i][1], kinds[i][2]);
        bool is_refused = descriptor < 0;
        if (!is_refused) {
            struct sockaddr_in discard = {.sin_family = AF_INET, .sin_port = htons(9)};
            discard.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            bool is_inet = kinds[i][0] == AF_INET;
            is_refused = is_inet && connect(descriptor, (struct sockaddr *)&discard, sizeof discard) != 0 &&
                         (errno == EACCES || errno == EPERM || errno == ENOSYS);
            (void)close(descriptor);
        }
        breaches += unless_refused(task, is_refused, attack);
    }
    report(task, breaches);
}
