#include "actions.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#ifndef TCP_ULP
#define TCP_ULP 31
#endif

static int kind(int family, int type, int protocol) {
    int fd = socket(family, type, protocol);
    if (fd < 0) { return errno; }
    close(fd);
    return 0;
}
/* By numbers: older headers lack some names. */
ACTION(socket_unix) { return kind(1, SOCK_STREAM, 0); }
ACTION(socket_netlink) { return kind(16, SOCK_RAW, 0); }
ACTION(socket_packet) { return kind(17, SOCK_RAW, 0); }
ACTION(socket_raw) { return kind(2, SOCK_RAW, 1); }
ACTION(socket_ping) { return kind(2, SOCK_DGRAM, 1); }
ACTION(socket_udp) { return kind(2, SOCK_DGRAM, 0); }
ACTION(socket_udp6) { return kind(10, SOCK_DGRAM, 17); }
ACTION(socket_tcp) { return kind(2, SOCK_STREAM, 0); }
ACTION(socket_tcp6) { return kind(10, SOCK_STREAM, 6); }
ACTION(socket_alg) { return kind(38, SOCK_SEQPACKET, 0); }
ACTION(socket_vsock) { return kind(40, SOCK_STREAM, 0); }
ACTION(socket_sctp) { return kind(2, SOCK_STREAM, 132); }
ACTION(socket_mptcp) { return kind(2, SOCK_STREAM, 262); }
ACTION(socket_smc) { return kind(43, SOCK_STREAM, 0); }

static struct sockaddr_in loopback(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return address;
}
static int connect_to(uint16_t port) {
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(connect(fd, (struct sockaddr *)&address, sizeof address));
}
ACTION(connect_granted) { return connect_to(targets->granted_port); }
ACTION(connect_other) { return connect_to(targets->other_port); }
ACTION(bind_any) {
    struct sockaddr_in address = loopback(0);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(bind(fd, (struct sockaddr *)&address, sizeof address));
}
/* listen() chooses a port by itself, past a rule about bind(). */
ACTION(listen_unbound) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(listen(fd, 1));
}
ACTION(fast_open) {
    struct sockaddr_in address = loopback(targets->other_port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) { return errno; }
    return TRY(sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
}
ACTION(fast_open_message) {
    struct sockaddr_in address = loopback(targets->other_port);
    struct iovec part = {"x", 1};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(sendmsg(fd, &message, MSG_FASTOPEN));
}
ACTION(change_protocol) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(setsockopt(fd, IPPROTO_TCP, TCP_ULP, "smc", 3));
}
ACTION(attach_program) {
    struct { unsigned short code; unsigned char jt, jf; unsigned k; } accept = {6, 0, 0, 0xffff};
    struct { unsigned short length; void *code; } program = {1, &accept};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) { return errno; }
    return TRY(setsockopt(pair[0], SOL_SOCKET, 26, &program, sizeof program));
}

/* What is meant for one address goes to another one first. */
ACTION(source_route) {
    unsigned char route[] = {131, 7, 4, 127, 0, 0, 1, 0}; /* LSRR (RFC 791) */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(setsockopt(fd, IPPROTO_IP, IP_OPTIONS, route, sizeof route));
}
static int routing_header(int option) {
    unsigned char route[24] = {0, 2, 2, 1, [23] = 1}; /* type 2 (RFC 6275), to ::1 */
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    return fd < 0 ? errno : TRY(setsockopt(fd, IPPROTO_IPV6, option, route, option == 6 ? 0 : sizeof route));
}
ACTION(routing_header_6) { return routing_header(57 /* IPV6_RTHDR */); }
ACTION(packet_options_6) { return routing_header(6 /* IPV6_2292PKTOPTIONS */); }

const action_t network_actions[] = {
    {"unix", socket_unix}, {"netlink", socket_netlink}, {"packet", socket_packet}, {"raw", socket_raw},
    {"ping", socket_ping}, {"udp", socket_udp}, {"udp6", socket_udp6}, {"tcp", socket_tcp}, {"tcp6", socket_tcp6},
    {"alg", socket_alg}, {"vsock", socket_vsock}, {"sctp", socket_sctp}, {"mptcp", socket_mptcp},
    {"smc", socket_smc}, {"connectGranted", connect_granted}, {"connectOther", connect_other}, {"bind", bind_any},
    {"listen", listen_unbound}, {"fastOpen", fast_open}, {"fastOpenMessage", fast_open_message},
    {"sourceRoute", source_route}, {"routingHeader", routing_header_6}, {"packetOptions", packet_options_6},
    {"upperLayer", change_protocol}, {"attachProgram", attach_program},
    {NULL, NULL},
};
