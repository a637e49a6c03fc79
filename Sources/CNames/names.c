#include "CNames.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct list {
    size_t count;
    char *lines[];
};
static _Atomic(struct list *) present;

int cnames_set(const char *const *lines, size_t count) {
    struct list *list = malloc(sizeof *list + count * sizeof *list->lines);
    if (list == NULL) { return -ENOMEM; }
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        char *copy = strdup(lines[i]);
        if (copy != NULL) { list->lines[list->count++] = copy; }
    }
    /* The former list stays: another thread may be reading it. It is some hundred bytes, and a change of addresses rare. */
    atomic_store_explicit(&present, list, memory_order_release);
    return 0;
}

typedef int ask_t(const char *, const char *, const struct addrinfo *, struct addrinfo **);
static ask_t *library(void) {
    static _Atomic(ask_t *) found;
    ask_t *ask = atomic_load(&found);
    if (ask == NULL) {
        ask = (ask_t *)dlsym(RTLD_NEXT, "getaddrinfo");
        atomic_store(&found, ask);
    }
    return ask;
}

/* The addresses of a name: what follows it in its line. NULL: it is not in the list. */
static const char *addresses_of(const char *name) {
    const struct list *list = atomic_load_explicit(&present, memory_order_acquire);
    size_t length = strlen(name);
    if (length > 1 && name[length - 1] == '.') { length -= 1; }
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const char *line = list->lines[i];
        if (strncasecmp(line, name, length) == 0 && (line[length] == 0 || line[length] == ' ')) { return line + length; }
    }
    return NULL;
}

/* Appends what the C library makes of one address as text. */
static int append(const char *address, const char *service, const struct addrinfo *hints, struct addrinfo ***end) {
    struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST};
    if (hints != NULL) {
        numeric = *hints;
        numeric.ai_flags = (numeric.ai_flags & ~(AI_CANONNAME | AI_ADDRCONFIG)) | AI_NUMERICHOST;
    }
    int failed = library()(address, service, &numeric, *end);
    while (!failed && **end != NULL) { *end = &(**end)->ai_next; }
    return failed;
}

__attribute__((visibility("default"))) int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    const char *rest = name == NULL || (hints != NULL && hints->ai_flags & AI_NUMERICHOST) ? NULL : addresses_of(name);
    if (rest == NULL) { return library()(name, service, hints, result); }
    struct addrinfo *first = NULL, **end = &first;
    int failed = *rest == 0 ? EAI_AGAIN : 0;
    while (*rest == ' ') {
        char address[INET6_ADDRSTRLEN];
        size_t length = strcspn(++rest, " ");
        if (length < sizeof address) {
            memcpy(address, rest, length);
            address[length] = 0;
            failed = append(address, service, hints, &end);
        }
        rest += length;
    }
    /* An address of a family that was not asked for is no failure while there are others. */
    if (first == NULL) { return failed == EAI_ADDRFAMILY || failed == 0 ? EAI_NONAME : failed; }
    /* freeaddrinfo frees each entry by itself, and the name of each. */
    if (hints != NULL && hints->ai_flags & AI_CANONNAME) { first->ai_canonname = strdup(name); }
    *result = first;
    return 0;
}

/* ---- asking ---- */

enum { MOST_ADDRESSES = 32, STACK = 256 << 10 };
struct question {
    pthread_t thread;
    const char *name;
    size_t index;
    int fd;
};

static void *answer(void *context) {
    const struct question *question = context;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int count = 0;
    if (library()(question->name, NULL, &hints, &found) != 0) { return NULL; }
    for (const struct addrinfo *entry = found; entry != NULL && count < MOST_ADDRESSES; entry = entry->ai_next) {
        char address[INET6_ADDRSTRLEN], line[INET6_ADDRSTRLEN + 32];
        const void *bytes = entry->ai_family == AF_INET
            ? (const void *)&((const struct sockaddr_in *)entry->ai_addr)->sin_addr
            : (const void *)&((const struct sockaddr_in6 *)entry->ai_addr)->sin6_addr;
        if (entry->ai_family != AF_INET && entry->ai_family != AF_INET6) { continue; }
        if (inet_ntop(entry->ai_family, bytes, address, sizeof address) == NULL) { continue; }
        int length = snprintf(line, sizeof line, "%zu %s\n", question->index, address);
        /* Short writes to a pipe are whole. Who does not read any more wants no more. */
        if (write(question->fd, line, (size_t)length) < 0) { break; }
        count += 1;
    }
    freeaddrinfo(found);
    return NULL;
}

int cnames_ask(const char *const *names, size_t count, int fd) {
    struct question *questions = calloc(count, sizeof *questions);
    pthread_attr_t attributes;
    size_t begun = 0;
    int failed = questions == NULL ? ENOMEM : pthread_attr_init(&attributes);
    if (failed) {
        free(questions);
        return -failed;
    }
    (void)pthread_attr_setstacksize(&attributes, STACK);
    while (begun < count && !failed) {
        questions[begun] = (struct question){.name = names[begun], .index = begun, .fd = fd};
        failed = pthread_create(&questions[begun].thread, &attributes, answer, &questions[begun]);
        if (!failed) { begun += 1; }
    }
    for (size_t i = 0; i < begun; i++) { pthread_join(questions[i].thread, NULL); }
    pthread_attr_destroy(&attributes);
    free(questions);
    return -failed;
}
