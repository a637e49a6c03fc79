/*
 * A part of application-harness.c, which includes it: what `taskhost.transfer/1` has. There is one session.
 */
static taskhost_transfer_event_fn transfer_event;
static void *transfer_context;
static uint32_t transfer_next = 1;
static uint64_t transfer_sequence;
static const char *known_transfers[MAXIMUM];
static uint32_t known_states[MAXIMUM];
static int known_count;
static bool is_session_in_use;

#define SAY(...)                    \
    do {                            \
        pthread_mutex_lock(&lock);  \
        say(__VA_ARGS__);           \
        pthread_mutex_unlock(&lock); \
    } while (0)

static const char *words(taskhost_bytes_t bytes) { return bytes.bytes == NULL ? "" : bytes.bytes; }

static int32_t transfer_open(
    const char *identifier, const taskhost_session_options_t *options, taskhost_known_transfer_fn known,
    taskhost_transfer_event_fn event, void *context, uint32_t *session, uint32_t *next, char *reason,
    uint64_t capacity) {
    /* Those of an ordinary session. */
    const taskhost_session_options_t usual = {.struct_size = sizeof usual, .abi_version = TASKHOST_ABI_VERSION};
    if (options == NULL) { options = &usual; }
    SAY("open %s flags %" PRIu32 " connections %" PRIu32 " timeouts %" PRId64 " %" PRId64, identifier, options->flags,
        options->connections_per_host, options->request_timeout / 1000000000, options->resource_timeout / 1000000000);
    if (is_session_in_use) {
        snprintf(reason, capacity, "another process has it");
        return TASKHOST_SESSION_IN_USE;
    }
    for (int i = 0; i < known_count; i += 1) {
        const taskhost_transfer_request_t request = {
            .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION, .kind = TASKHOST_TRANSFER_DOWNLOAD,
            .url = text(known_transfers[i]), .method = text("GET"), .text = text("of old"),
            .earliest = TASKHOST_TRANSFER_AT_ONCE, .priority = 0.5f};
        const taskhost_known_transfer_t transfer = {
            .struct_size = sizeof transfer, .abi_version = TASKHOST_ABI_VERSION, .number = transfer_next++,
            .received = 7, .total = 70, .request = &request, .state = known_states[i]};
        known(context, &transfer);
    }
    transfer_event = event;
    transfer_context = context;
    *session = 9;
    *next = transfer_next;
    return TASKHOST_OK;
}

static int32_t transfer_replay(uint32_t session) { SAY("replay %" PRIu32, session); return TASKHOST_OK; }

static int32_t transfer_invalidate(uint32_t session) {
    SAY("invalidate %" PRIu32, session);
    return TASKHOST_OK;
}

static int32_t transfer_create(
    uint32_t session, const taskhost_transfer_request_t *request, uint32_t *number, char *reason, uint64_t capacity) {
    (void)session;
    *number = transfer_next++;
    if (request->url.length > 4096) {
        snprintf(reason, capacity, "the URL is too long");
        return TASKHOST_INVALID;
    }
    SAY("create %" PRIu32 " kind %" PRIu32 " %s %s file [%s] resume [%s] headers %" PRIu64, *number, request->kind,
        words(request->method), words(request->url), words(request->file), words(request->resume_data),
        request->header_count);
    return TASKHOST_OK;
}

static int32_t transfer_resume(uint32_t session, uint32_t number) {
    (void)session;
    SAY("resume %" PRIu32, number);
    return TASKHOST_OK;
}
static int32_t transfer_suspend(uint32_t session, uint32_t number) {
    (void)session;
    SAY("suspend %" PRIu32, number);
    return TASKHOST_OK;
}
static int32_t transfer_cancel(uint32_t session, uint32_t number, int32_t resume_data) {
    (void)session;
    SAY("cancel %" PRIu32 " %" PRId32, number, resume_data);
    return TASKHOST_OK;
}
static int32_t transfer_set_priority(uint32_t session, uint32_t number, float priority) {
    (void)session;
    SAY("priority %" PRIu32 " %g", number, (double)priority);
    return TASKHOST_OK;
}
static int32_t transfer_set_text(uint32_t session, uint32_t number, const char *description) {
    (void)session;
    SAY("text %" PRIu32 " %s", number, description);
    return TASKHOST_OK;
}
static int32_t transfer_set_earliest(uint32_t session, uint32_t number, int64_t earliest) {
    (void)session;
    SAY("earliest %" PRIu32 " %" PRId64, number, earliest);
    return TASKHOST_OK;
}
static int32_t transfer_set_expected(uint32_t session, uint32_t number, int64_t send, int64_t receive) {
    (void)session;
    SAY("expected %" PRIu32 " %" PRId64 " %" PRId64, number, send, receive);
    return TASKHOST_OK;
}
static int32_t transfer_answer(uint32_t session, uint32_t number, const taskhost_transfer_answer_t *answer) {
    (void)session;
    SAY("answer %" PRIu32 " kind %" PRIu32 " [%s] [%s] %s", number, answer->kind, words(answer->user),
        words(answer->password), answer->request == NULL ? "" : words(answer->request->url));
    return TASKHOST_OK;
}
static int32_t transfer_acknowledge(uint32_t session, uint64_t sequence) {
    (void)session;
    SAY("acknowledged %" PRIu64, sequence);
    return TASKHOST_OK;
}
static int32_t transfer_handled(const char *identifier) { SAY("handled %s", identifier); return TASKHOST_OK; }
static int32_t transfer_authorize(const char *origin, const char *value) {
    SAY("authorization %s %s", origin, value);
    return TASKHOST_OK;
}

static const taskhost_transfer_t transfers = {
    .struct_size = sizeof(taskhost_transfer_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .open = transfer_open,
    .replay = transfer_replay,
    .invalidate = transfer_invalidate,
    .create = transfer_create,
    .resume = transfer_resume,
    .suspend = transfer_suspend,
    .cancel = transfer_cancel,
    .set_priority = transfer_set_priority,
    .set_text = transfer_set_text,
    .set_earliest = transfer_set_earliest,
    .set_expected = transfer_set_expected,
    .answer = transfer_answer,
    .acknowledge = transfer_acknowledge,
    .session_handled = transfer_handled,
    .set_authorization = transfer_authorize,
};

/* KIND:NUMBER:VALUE, where the value is a count of bytes, a status, an error, a method, or the contents of a file. */
static void tell_transfer(char *argument) {
    static int files;
    const taskhost_header_t headers[] = {
        {text("X-Answer"), text("yes")},
        {text("Set-Cookie"), text("seen=1; Path=/")},
        {text("Set-Cookie"), text("other=2; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT")}};
    taskhost_transfer_challenge_t challenge = {.port = 443, .is_secure = 1, .host = text("example.com")};
    taskhost_transfer_event_t event = {
        .struct_size = sizeof event, .abi_version = TASKHOST_ABI_VERSION, .session = 9,
        .cancel_reason = TASKHOST_CANCEL_REASON_NONE, .expected_receive = 100, .expected_send = 100,
        .url = text("http://example.com/found"), .headers = headers, .header_count = 1};
    event.kind = (uint32_t)strtoul(strsep(&argument, ":"), NULL, 10);
    event.number = argument == NULL ? 0 : (uint32_t)strtoul(strsep(&argument, ":"), NULL, 10);
    char *value = argument == NULL ? "" : argument;
    char path[4096];
    switch (event.kind) {
    case TASKHOST_TRANSFER_PROGRESS: event.received = event.sent = atoll(value); break;
    case TASKHOST_TRANSFER_RESUMED: event.received = atoll(value); break;
    case TASKHOST_TRANSFER_RESPONSE: event.status = (uint32_t)atoi(value); break;
    case TASKHOST_TRANSFER_CHALLENGE:
        challenge.method = (uint32_t)atoi(value);
        event.challenge = &challenge;
        break;
    case TASKHOST_TRANSFER_DOWNLOADED:
    case TASKHOST_TRANSFER_ANSWERED:
        snprintf(path, sizeof path, "%s/delivered-%d", folder, files++);
        FILE *file = fopen(path, "we");
        if (file == NULL || fputs(value, file) < 0 || fclose(file) != 0) { leave(70); }
        event.path = text(path);
        event.sequence = ++transfer_sequence;
        break;
    case TASKHOST_TRANSFER_COMPLETED:
        event.error = atoi(value);
        /* `0 cookies`: its answer has two. */
        if (strstr(value, "cookies") != NULL) { event.header_count = 3; }
        if (event.error == 0) { event.status = 404; }
        if (event.error == -999) { event.cancel_reason = TASKHOST_CANCEL_REASON_USER_FORCE_QUIT; }
        if (event.error == -1005) { event.data = text("from here"); }
        event.sentence = text("as the host says");
        event.sequence = ++transfer_sequence;
        break;
    case TASKHOST_TRANSFER_RESUME_DATA: event.data = text(value); break;
    case TASKHOST_TRANSFER_ALL_TOLD: event.sequence = ++transfer_sequence; break;
    default: break;
    }
    if (transfer_event != NULL) { transfer_event(transfer_context, &event); }
}
