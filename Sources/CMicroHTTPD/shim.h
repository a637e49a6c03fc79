/* Functions that Swift cannot call itself: variadic functions of libmicrohttpd. */
#include <errno.h>
#include <microhttpd.h>
#include <sys/socket.h>

/* NULL: it failed, for the errno in *out_errno. */
static inline struct MHD_Daemon *taskhost_mhd_start(
    unsigned flags, MHD_AccessHandlerCallback handler, void *context, struct MHD_OptionItem *options, int *out_errno) {
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    *out_errno = errno;
    return daemon;
}

/* Gives it a connection of a Unix socket, which it closes also when it fails. */
static inline enum MHD_Result taskhost_mhd_add(struct MHD_Daemon *daemon, int connection) {
    struct sockaddr address = {.sa_family = AF_UNIX};
    return MHD_add_connection(daemon, connection, &address, sizeof address.sa_family);
}

/* The daemon's epoll descriptor; -1 when it has none. */
static inline int taskhost_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

static inline int taskhost_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
