/* What the reference programs share: a clock, sorted samples, and the JSON that the driver reads. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int compare_ns(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts `samples` and prints {"samples", "p50", "p99", "max"} in seconds, without a newline. */
static inline void print_samples(int64_t *samples, long count) {
    if (count == 0) {
        printf("{\"samples\": 0, \"p50\": 0, \"p99\": 0, \"max\": 0}");
        return;
    }
    qsort(samples, (size_t)count, sizeof *samples, compare_ns);
    printf("{\"samples\": %ld, \"p50\": %.9f, \"p99\": %.9f, \"max\": %.9f}", count,
           (double)samples[count / 2] * 1e-9, (double)samples[count * 99 / 100] * 1e-9,
           (double)samples[count - 1] * 1e-9);
}

/* Ends the program when `condition` does not hold: a benchmark that went wrong has no result. */
static inline void require_that(int condition, const char *what) {
    if (!condition) {
        perror(what);
        exit(1);
    }
}

/* The value of `--name VALUE` among the arguments, or `otherwise`. */
static inline const char *option(int argc, char **argv, const char *name, const char *otherwise) {
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], name) == 0) { return argv[i + 1]; }
    }
    return otherwise;
}

static inline long option_number(int argc, char **argv, const char *name, long otherwise) {
    const char *text = option(argc, argv, name, NULL);
    return text ? strtol(text, NULL, 10) : otherwise;
}

#endif
