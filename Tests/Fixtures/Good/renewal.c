/*
 * Foreign functions that renew credentials (a manifest's `transfers.renew`): `const char *(const char *payload, const char *state)`.
 * The server of `/guarded` (Tests/Fixtures/Servers/signin.py) accepts its realm read backwards. Each call leaves a line in
 * STATE/renewals; the credential is nowhere but in memory.
 */
#include "../fixture.h"


static __thread char value[512];

static void note(const char *state, const char *name) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", state, name);
    FILE *file = fopen(path, "ae");
    if (file == NULL) { return; }
    fputs("called\n", file);
    (void)fclose(file);
}

/* `Bearer`, and the realm of the payload backwards. */
static const char *credential(const char *payload) {
    const char *start = strstr(payload, "\"realm\":\"");
    if (start == NULL) { return NULL; }
    start += 9;
    const size_t length = strcspn(start, "\"");
    if (length + 8 > sizeof value) { return NULL; }
    memcpy(value, "Bearer ", 7);
    for (size_t i = 0; i < length; i += 1) { value[7 + i] = start[length - 1 - i]; }
    value[7 + length] = 0;
    return value;
}

TASKHOST_EXPORT const char *renewal_good(const char *payload, const char *state) {
    note(state, "renewals");
    return credential(payload);
}

/* When STATE/go is there. */
TASKHOST_EXPORT const char *renewal_when_told(const char *payload, const char *state) {
    note(state, "renewals");
    char path[4200];
    snprintf(path, sizeof path, "%s/go", state);
    while (access(path, F_OK) != 0) { sleep_milliseconds(5); }
    return credential(payload);
}

/* Never in its time. */
TASKHOST_EXPORT const char *renewal_slow(const char *payload, const char *state) {
    note(state, "renewals");
    sleep_forever();
    return payload;
}

TASKHOST_EXPORT const char *renewal_none(const char *payload, const char *state) {
    (void)payload;
    note(state, "renewals");
    return NULL;
}

TASKHOST_EXPORT const char *renewal_empty(const char *payload, const char *state) {
    (void)payload;
    note(state, "renewals");
    return "";
}

/* It adds a header. */
TASKHOST_EXPORT const char *renewal_broken(const char *payload, const char *state) {
    (void)payload;
    note(state, "renewals");
    return "Bearer a\r\nX-More: b";
}

/* Another one each time, none of which is accepted. */
TASKHOST_EXPORT const char *renewal_refused(const char *payload, const char *state) {
    static int calls;
    (void)payload;
    note(state, "renewals");
    calls += 1;
    snprintf(value, sizeof value, "Bearer wrong-%d-%d", (int)getpid(), calls);
    return value;
}
