/* Raises its own limits and priority. Succeeds only when that is refused. Expected: succeeded. */
#include "../fixture.h"

#include <sched.h>
#include <sys/resource.h>

void misbehave(taskhost_task_t *task) {
    static const struct {
        const char *name;
        __rlimit_resource_t resource;
    } limits[] = {
        {"files", RLIMIT_NOFILE}, {"core", RLIMIT_CORE}, {"file size", RLIMIT_FSIZE}, {"locked memory", RLIMIT_MEMLOCK},
        {"priority", RLIMIT_NICE}, {"real time", RLIMIT_RTPRIO},
    };
    int breaches = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i += 1) {
        struct rlimit limit;
        bool is_refused = getrlimit(limits[i].resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY;
        if (is_refused) {
            limit.rlim_max += 1;
            is_refused = setrlimit(limits[i].resource, &limit) != 0;
        }
        breaches += unless_refused(task, is_refused, limits[i].name);
    }
    breaches += unless_refused(task, setpriority(PRIO_PROCESS, 0, -5) != 0, "nice -5");
    struct sched_param first = {.sched_priority = 1};
    breaches += unless_refused(task, sched_setscheduler(0, SCHED_FIFO, &first) != 0, "SCHED_FIFO");
    report(task, breaches);
}
