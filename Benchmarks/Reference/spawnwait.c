/* posix_spawn and wait of a program: the least that a fresh process costs.
 * spawnwait PROGRAM [--samples N] */
#include "measure.h"

#include <spawn.h>
#include <sys/wait.h>

int main(int argc, char **argv) {
    require_that(argc > 1, "usage: spawnwait PROGRAM [--samples N]");
    long count = option_number(argc, argv, "--samples", 400);
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    require_that(samples != NULL, "calloc");
    char *arguments[] = {argv[1], NULL}, *environment[] = {NULL};
    for (long i = -10; i < count; i++) { /* the first ten warm the page cache */
        int64_t begin = now_ns();
        pid_t pid;
        int status = 0;
        require_that(posix_spawn(&pid, argv[1], NULL, NULL, arguments, environment) == 0, argv[1]);
        require_that(waitpid(pid, &status, 0) == pid && status == 0, "waitpid");
        if (i >= 0) { samples[i] = now_ns() - begin; }
    }
    printf("{\"latency\": ");
    print_samples(samples, count);
    printf("}\n");
    return 0;
}
