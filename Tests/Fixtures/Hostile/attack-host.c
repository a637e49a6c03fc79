/*
 * Reaches for its host: the control socket and the database in the state folder, sockets without a file, and what the
 * descriptors that it was born with lead to. Succeeds only when all of it is refused. Expected: succeeded.
 *
 * The host's state folder is the one above the application's own, at a depth that is the host's business: every folder up to
 * the root is tried. Nothing is sent where a connection goes through.
 */
#include "../fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int connect_to(const struct sockaddr_un *address, socklen_t length) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) { return -1; }
    int result = connect(descriptor, (const struct sockaddr *)address, length);
    (void)close(descriptor);
    return result;
}

static int connect_path(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) { return -1; }
    strcpy(address.sun_path, path);
    return connect_to(&address, sizeof address);
}

/* A long path, as the host's own clients go it: through a descriptor of the folder. */
static int connect_in(const char *folder) {
    int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) { return -1; }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d/control.sock", descriptor);
    int result = connect_path(path);
    (void)close(descriptor);
    return result;
}

static int attack_folder(taskhost_task_t *task, const char *folder) {
    static const char *const files[] = {"taskhost.db", "taskhost.db-wal", "taskhost.db-shm", "lock", "control.sock"};
    char path[4200], attack[240];
    snprintf(path, sizeof path, "%s/control.sock", folder);
    snprintf(attack, sizeof attack, "connect %.200s/control.sock", folder);
    int breaches = unless_refused(task, connect_path(path) != 0, attack);
    breaches += unless_refused(task, connect_in(folder) != 0, "control.sock through a descriptor");
    for (size_t i = 0; i < sizeof files / sizeof *files; i += 1) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        int descriptor = open(path, O_RDONLY | O_NONBLOCK);
        snprintf(attack, sizeof attack, "open %.180s/%s", folder, files[i]);
        breaches += unless_refused(task, descriptor < 0, attack);
        if (descriptor >= 0) { (void)close(descriptor); }
        breaches += unless_refused(task, unlink(path) != 0, "unlink");
    }
    return breaches;
}

/* Names may be guessed, and are in /proc/net/unix, which may be read. */
static int attack_abstract(taskhost_task_t *task) {
    static const char *const names[] = {"taskhost", "control.sock", "taskhost-control", "taskhost/control.sock"};
    int breaches = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 1) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strcpy(address.sun_path + 1, names[i]);
        socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(names[i]));
        breaches += unless_refused(task, connect_to(&address, length) != 0, names[i]);
    }
    FILE *table = fopen("/proc/net/unix", "r");
    if (table == NULL) { return breaches; }
    char line[512];
    while (fgets(line, sizeof line, table) != NULL) {
        char *name = strchr(line, '@');
        if (name == NULL) { continue; }
        name[strcspn(name, "\n")] = 0;
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        if (strlen(name) >= sizeof address.sun_path) { continue; }
        memcpy(address.sun_path + 1, name + 1, strlen(name + 1));
        socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
        breaches += unless_refused(task, connect_to(&address, length) != 0, name);
    }
    (void)fclose(table);
    return breaches;
}

/* Nothing that it was born with is a listener, a folder or a file, or opens again as one. */
static int attack_descriptors(taskhost_task_t *task) {
    int breaches = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor += 1) {
        struct stat status;
        if (fstat(descriptor, &status) != 0) { continue; }
        char path[64];
        int listens = 0;
        socklen_t length = sizeof listens;
        bool is_listener = getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens;
        snprintf(path, sizeof path, "listening descriptor %d", descriptor);
        breaches += unless_refused(task, !is_listener, path);
        snprintf(path, sizeof path, "/proc/self/fd/%d/..", descriptor);
        int above = open(path, O_PATH);
        breaches += unless_refused(task, above < 0, path);
        if (above >= 0) { (void)close(above); }
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
        bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
        int again = is_file ? open(path, O_RDONLY) : -1;
        breaches += unless_refused(task, again < 0, path);
        if (again >= 0) { (void)close(again); }
    }
    return breaches;
}

void misbehave(taskhost_task_t *task) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", task->state_directory.bytes);
    int breaches = 0;
    for (char *end = strrchr(folder, '/'); end != NULL && end != folder; end = strrchr(folder, '/')) {
        *end = 0;
        breaches += attack_folder(task, folder);
    }
    breaches += attack_abstract(task);
    breaches += attack_descriptors(task);
    report(task, breaches);
}
