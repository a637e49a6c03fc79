#include <stdlib.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

/* The names of `count` sockets as sd_listen_fds_with_names gave them. */
static inline void taskhost_free_names(char **names, int count) {
    for (int index = 0; index < count; index++) { free(names[index]); }
    free(names);
}

/* 1 when it is a listening stream socket, of Unix's if so asked. */
static inline int taskhost_is_listening(int fd, int only_unix) {
    return sd_is_socket(fd, only_unix ? AF_UNIX : AF_UNSPEC, SOCK_STREAM, 1);
}
