/* A job of cron: appends the time at which it runs to the file that it is given. Linked statically, as noop is. */
#include <fcntl.h>
#include <unistd.h>

#include "../Reference/measure.h"

int main(int argc, char **argv) {
    if (argc != 2) { return 64; }
    int fd = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    int64_t now = now_ns();
    require_that(fd >= 0 && write(fd, &now, sizeof now) == sizeof now, argv[1]);
    return 0;
}
