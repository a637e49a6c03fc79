/*
 * A part of application-harness.c, which includes it: what `taskhost.lifecycle/1` has.
 */
static struct { taskhost_assertion_fn expired; void *context; bool is_open; } assertions[MAXIMUM];
static uint64_t assertion_count;

static uint32_t lifecycle_state(void) { return state; }
static uint32_t lifecycle_refresh(void) { return TASKHOST_REFRESH_AVAILABLE; }

static uint64_t lifecycle_begin(const char *name, taskhost_assertion_fn expired, void *context) {
    pthread_mutex_lock(&lock);
    if (assertion_count + 1 == MAXIMUM) { leave(70); }
    uint64_t number = ++assertion_count;
    assertions[number].expired = expired;
    assertions[number].context = context;
    assertions[number].is_open = true;
    say("assertion %" PRIu64 " %s", number, name == NULL ? "" : name);
    pthread_mutex_unlock(&lock);
    return number;
}

static int32_t lifecycle_end(uint64_t number) {
    pthread_mutex_lock(&lock);
    bool known = number > 0 && number <= assertion_count && assertions[number].is_open;
    if (known) { assertions[number].is_open = false; }
    say("assertion-ended %" PRIu64 "%s", number, known ? "" : " unknown");
    pthread_mutex_unlock(&lock);
    return known ? TASKHOST_OK : TASKHOST_UNKNOWN;
}

static double background_time = 29, background_left, background_step;
static bool is_warned;

static double lifecycle_remaining(void) {
    if (state != TASKHOST_STATE_BACKGROUND) { return 1.7976931348623157e308; }
    if (background_step == 0) { return background_time; }
    pthread_mutex_lock(&lock);
    double left = background_left;
    if (left <= 5 && !is_warned) { say("about to end"); }
    while (left <= 5 && !is_warned) { pthread_cond_wait(&changed, &lock); }
    background_left -= background_step;
    pthread_mutex_unlock(&lock);
    return left;
}

static int32_t lifecycle_perform(const char *reason, taskhost_activity_fn activity, void *context) {
    (void)reason, (void)activity, (void)context;
    return TASKHOST_INVALID;
}

static uint32_t lifecycle_open(void) {
    pthread_mutex_lock(&lock);
    uint32_t open = 0;
    for (uint64_t i = 1; i <= assertion_count; i += 1) { open += assertions[i].is_open; }
    pthread_mutex_unlock(&lock);
    return open;
}

static int32_t lifecycle_set_interval(double seconds) {
    pthread_mutex_lock(&lock);
    say("fetch-interval %g", seconds);
    pthread_mutex_unlock(&lock);
    return seconds >= 0 ? TASKHOST_OK : TASKHOST_INVALID;
}

static int32_t lifecycle_complete(taskhost_task_t *task, uint32_t result) {
    pthread_mutex_lock(&lock);
    struct run *run = run_of(task);
    bool first = !run->completed;
    run->completed = true;
    say("%s %s %" PRIu32, first ? "answered" : "answered-twice", run->identifier, result);
    pthread_mutex_unlock(&lock);
    return first ? TASKHOST_OK : TASKHOST_ALREADY_COMPLETED;
}

static taskhost_lifecycle_t lifecycle = {
    .struct_size = sizeof(taskhost_lifecycle_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .state = lifecycle_state,
    .background_refresh = lifecycle_refresh,
    .begin_assertion = lifecycle_begin,
    .end_assertion = lifecycle_end,
    .background_time_remaining = lifecycle_remaining,
    .perform_expiring_activity = lifecycle_perform,
    .open_assertions = lifecycle_open,
    .set_minimum_fetch_interval = lifecycle_set_interval,
    .complete_event = lifecycle_complete,
};

static void warn_assertions(void) {
    bool is_last = false;
    for (uint64_t i = 1; !is_last; i += 1) {
        pthread_mutex_lock(&lock);
        is_last = i >= assertion_count;
        taskhost_assertion_fn expired = assertions[i].is_open ? assertions[i].expired : NULL;
        void *context = assertions[i].context;
        pthread_mutex_unlock(&lock);
        if (expired != NULL) { expired(context); }
    }
    pthread_mutex_lock(&lock);
    is_warned = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
