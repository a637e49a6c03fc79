/* Opens and closes files for reading, one after the other: opens [--calls N] [--files K]
 * The files are those of /usr/bin, K of them in turn. Prints the time of one pair of calls. */
#include "measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long calls = option_number(argc, argv, "--calls", 20000), files = option_number(argc, argv, "--files", 64), count = 0;
    char (*paths)[512] = calloc((size_t)files, sizeof *paths);
    DIR *folder = opendir("/usr/bin");
    require_that(paths != NULL && folder != NULL, "opendir");
    for (struct dirent *entry; count < files && (entry = readdir(folder)) != NULL;) {
        snprintf(paths[count], sizeof *paths, "/usr/bin/%s", entry->d_name);
        int file = entry->d_type == DT_REG ? open(paths[count], O_RDONLY | O_CLOEXEC) : -1;
        if (file >= 0) { count++, close(file); }
    }
    require_that(count > 0, "files");
    int64_t begin = now_ns();
    for (long i = 0; i < calls; i++) {
        int file = open(paths[i % count], O_RDONLY | O_CLOEXEC);
        require_that(file >= 0, "open");
        close(file);
    }
    printf("{\"seconds\": %.9f}\n", (double)(now_ns() - begin) * 1e-9 / (double)calls);
    return 0;
}
