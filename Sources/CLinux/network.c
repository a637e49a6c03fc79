#include "CLinuxNetwork.h"
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int command, union bpf_attr *attributes) {
    long result = syscall(SYS_bpf, command, attributes, sizeof *attributes);
    return result < 0 ? -errno : (int)result;
}
static uint64_t pointer(const void *address) { return (uintptr_t)address; }

int clinux_prefix_map(uint32_t key_size, uint32_t entries) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes); /* also between the members, which the kernel checks */
    attributes.map_type = BPF_MAP_TYPE_LPM_TRIE;
    attributes.key_size = key_size;
    attributes.value_size = sizeof(uint32_t);
    attributes.max_entries = entries;
    attributes.map_flags = BPF_F_NO_PREALLOC;
    return bpf(BPF_MAP_CREATE, &attributes);
}

int clinux_prefix_map_set(int map, const void *key, uint32_t value) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_fd = (uint32_t)map;
    attributes.key = pointer(key);
    attributes.value = pointer(&value);
    return bpf(BPF_MAP_UPDATE_ELEM, &attributes);
}

int clinux_prefix_map_remove(int map, const void *key) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_fd = (uint32_t)map;
    attributes.key = pointer(key);
    int result = bpf(BPF_MAP_DELETE_ELEM, &attributes);
    return result == -ENOENT ? 0 : result;
}

int clinux_load_program(const uint64_t *instructions, uint32_t count, int place) {
    _Static_assert(sizeof(struct bpf_insn) == sizeof(uint64_t), "an instruction is eight bytes");
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.prog_type = BPF_PROG_TYPE_CGROUP_SOCK_ADDR;
    attributes.expected_attach_type = (uint32_t)place;
    attributes.insns = pointer(instructions);
    attributes.insn_cnt = count;
    attributes.license = pointer("MIT");
    return bpf(BPF_PROG_LOAD, &attributes);
}

int clinux_attach_program(int group, int program, int place) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.target_fd = (uint32_t)group;
    attributes.attach_bpf_fd = (uint32_t)program;
    attributes.attach_type = (uint32_t)place;
    /* Beside those above, of systemd for instance; all of them have to agree. */
    attributes.attach_flags = BPF_F_ALLOW_MULTI;
    return bpf(BPF_PROG_ATTACH, &attributes);
}

int clinux_connections_are_held(void) {
    struct sockaddr_in nowhere = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) { return -errno; }
    int result = connect(fd, (struct sockaddr *)&nowhere, sizeof nowhere) < 0 ? errno : 0;
    close(fd);
    return result == EPERM;
}
