#include "actions.h"
#include <arpa/inet.h>
#include <ftw.h>
#include <grp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

int attack_run(const char *name, const char *first, const char *second, const attack_targets_t *targets) {
    const action_t *tables[] = {file_actions, process_actions, kernel_actions, network_actions, honest_actions};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (const action_t *action = tables[i]; action->name != NULL; action++) {
            if (strcmp(action->name, name) == 0) { return action->run(first, second, targets); }
        }
    }
    return ATTACK_UNKNOWN;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *position) {
    return remove(path);
}
void attack_remove_tree(const char *path) { (void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

int attack_listen(uint16_t *out_port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) { return -errno; }
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 8) < 0) { return -errno; }
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) { return -errno; }
    *out_port = ntohs(address.sin_port);
    return fd;
}

int attack_make_victim(unsigned user) {
    int ready[2];
    char byte;
    if (pipe(ready) < 0) { return -errno; }
    pid_t pid = fork();
    if (pid != 0) {
        close(ready[1]);
        if (pid > 0 && read(ready[0], &byte, 1) != 1) { pid = -1; }
        close(ready[0]);
        return pid;
    }
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    if (user != 0 && (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0)) { _exit(1); }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 1);
    if (write(ready[1], "x", 1) != 1) { _exit(1); }
    for (;;) { pause(); }
}
