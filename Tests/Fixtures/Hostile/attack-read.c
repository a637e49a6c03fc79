/* Reads files that are none of its business. Succeeds only when that is refused. Expected: succeeded. */
#include "../fixture.h"

#include <dirent.h>
#include <fcntl.h>

void misbehave(taskhost_task_t *task) {
    static const char *const files[] = {"/etc/shadow", "/etc/passwd", "/root/.profile", "/var/log/dpkg.log"};
    int breaches = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i += 1) {
        int descriptor = open(files[i], O_RDONLY);
        breaches += unless_refused(task, descriptor < 0, files[i]);
        if (descriptor >= 0) { (void)close(descriptor); }
    }
    DIR *folder = opendir("/home");
    breaches += unless_refused(task, folder == NULL, "listing /home");
    report(task, breaches);
}
