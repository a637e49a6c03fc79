import Testing

@Suite struct TaskPartFaultTests {
    static let cases = FaultCase.parse(
        #"""
        T "kind": "appRefresh", "budget": 3
        = §.budget: found the number 3; expected an object
        T "kind": "appRefresh", "budget": {"wallClock": "0s"}
        = §.budget.wallClock: found "0s"; expected a duration from "100ms" to "7d"; a budget of zero ends every run at its start
        T "kind": "appRefresh", "budget": {"wallClock": 30}
        = §.budget.wallClock: found the number 30; expected a duration from "100ms" to "7d"; write "30s", with its unit
        T "kind": "appRefresh", "budget": {"wallClock": "30 s"}
        = §.budget.wallClock: found "30 s"; expected a duration from "100ms" to "7d"; write a whole number and one of ms, s, m, h or d, without a space
        T "kind": "appRefresh", "budget": {"wallClock": "99ms"}
        = §.budget.wallClock: found "99ms"; expected a duration from "100ms" to "7d"
        T "kind": "appRefresh", "budget": {"wallClock": "8d"}
        = §.budget.wallClock: found "8d"; expected a duration from "100ms" to "7d"
        T "kind": "appRefresh", "budget": {"wallClock": "99999999999999999999s"}
        = §.budget.wallClock: found "99999999999999999999s"; expected a duration from "100ms" to "7d"; write a whole number and one of ms, s, m, h or d, without a space
        T "kind": "appRefresh", "budget": {"cpuTime": "0ms", "memory": "0B"}
        = §.budget.cpuTime: found "0ms"; expected a duration from "1ms" to "7d"; a budget of zero ends every run at its start
        = §.budget.memory: found "0B"; expected a size from "1MiB" to "1024GiB"; a budget of zero ends every run at its start
        T "kind": "appRefresh", "budget": {"cpuTime": "8d", "memory": "1KiB"}
        = §.budget.cpuTime: found "8d"; expected a duration from "1ms" to "7d"
        = §.budget.memory: found "1KiB"; expected a size from "1MiB" to "1024GiB"
        T "kind": "appRefresh", "budget": {"memory": "64MB"}
        = §.budget.memory: found "64MB"; expected a size from "1MiB" to "1024GiB"; write a whole number and one of B, KiB, MiB or GiB, without a space
        T "kind": "appRefresh", "budget": {"memory": 4096}
        = §.budget.memory: found the number 4096; expected a size from "1MiB" to "1024GiB"; write "4096B", with its unit
        T "kind": "appRefresh", "budget": {"memory": "1025GiB"}
        = §.budget.memory: found "1025GiB"; expected a size from "1MiB" to "1024GiB"
        T "kind": "appRefresh", "budget": {"wallClock": "10s", "grace": "10s"}
        = §.budget.grace: found "10s"; expected less than the wall-clock budget of "10s"; the grace is the end of the budget, not an addition to it
        T "kind": "appRefresh", "budget": {"grace": "31s"}
        = §.budget.grace: found "31s"; expected less than the wall-clock budget of "30s"; the grace is the end of the budget, not an addition to it
        T "kind": "appRefresh", "budget": {"grace": "-1s"}
        = §.budget.grace: found "-1s"; expected a duration from "0s" to "7d"; write a whole number and one of ms, s, m, h or d, without a space
        T "kind": "appRefresh", "budget": {"wall_clock": "1s", "grce": "1s"}
        = §.budget["wall_clock"]: found the unknown key "wall_clock"; expected one of wallClock, cpuTime, memory, disk, grace, stall; did you mean "wallClock"?
        = §.budget.grce: found the unknown key "grce"; expected one of wallClock, cpuTime, memory, disk, grace, stall; did you mean "grace"?
        T "kind": "appRefresh", "budget": {"wallClock": "1s", "cpuTime": "65s"}
        = warning: §.budget: found a cpuTime of "65s"; expected at most 64 times the wall-clock budget; the wall clock would always end the run first
        T "kind": "processing", "budget": {"wallClock": "none", "disk": "none"}
        = §.budget.wallClock: found "none"; expected a limit; only a task whose handler is a "command" may be without one
        = §.budget.disk: found "none"; expected a limit; only a task whose handler is a "command" may be without one
        T "kind": "processing", "budget": {"stall": "30s"}
        = §.budget.stall: found "30s"; expected no "stall" but for the kind continuedProcessing; tasks of the kind processing report no progress
        T "kind": "continuedProcessing", "budget": {"stall": "999ms"}
        = §.budget.stall: found "999ms"; expected a duration from "1s" to "7d"
        T "kind": "appRefresh", "requires": {"network": "unmeterd", "idle": 1}
        = §.requires.network: found "unmeterd"; expected true, false, "any" or "unmetered"; did you mean "unmetered"?
        = §.requires.idle: found the number 1; expected true or false
        T "kind": "appRefresh", "requires": {"network": 3}
        = §.requires.network: found the number 3; expected true, false, "any" or "unmetered"
        T "kind": "appRefresh", "schedule": {}
        = §.schedule: found none of them; expected one of "every", "calendar" and "boot"
        T "kind": "appRefresh", "schedule": "15m"
        = §.schedule: found "15m"; expected an object
        T "kind": "appRefresh", "schedule": {"every": "15m", "calendar": "* * * * *"}
        = §.schedule: found "every" and "calendar"; expected one of "every", "calendar" and "boot"
        T "kind": "appRefresh", "schedule": {"boot": false}
        = §.schedule.boot: found false; expected true; leave it out for other times
        T "kind": "appRefresh", "schedule": {"boot": true, "timeZone": "Europe/Berlin"}
        = §.schedule.timeZone: found "Europe/Berlin"; expected a time zone only with "calendar"
        T "kind": "appRefresh", "schedule": {"every": "0s"}
        = §.schedule.every: found "0s"; expected a duration from "1s" to "366d"; leave out "schedule" for a task that runs when asked to
        T "kind": "appRefresh", "schedule": {"every": "999ms"}
        = §.schedule.every: found "999ms"; expected a duration from "1s" to "366d"
        T "kind": "appRefresh", "schedule": {"every": "10s"}
        = warning: §.schedule: found a run every "10s"; expected at least the wall-clock budget of "30s"; runs of one task do not overlap unless "overlap" is "allow"
        T "kind": "appRefresh", "schedule": {"every": "10s", "overlap": "allow"}
        T "kind": "continuedProcessing", "schedule": {"every": "1h", "overlap": "allow"}
        = §.schedule.overlap: found "allow"; expected "queue", "skip" or "replace" for continuedProcessing; of its runs one is in progress at a time
        T "kind": "processing", "schedule": {"calendar": "0 2 * * *", "timeZone": "UTC", "scope": "fleet"}
        T "kind": "processing", "schedule": {"every": "1h", "scope": "fleet"}
        = §.schedule.scope: found "fleet"; expected "calendar" and "timeZone" beside "fleet"; every host has to find the same times
        T "kind": "processing", "schedule": {"calendar": "0 2 * * *", "timeZone": "UTC", "jitter": "1m", "scope": "fleet"}
        = §.schedule.jitter: found "1m"; expected no "jitter" beside "scope": "fleet"; each time is a request of the fleet of its own
        T "kind": "continuedProcessing", "schedule": {"calendar": "0 2 * * *", "timeZone": "UTC", "scope": "fleet"}
        = §.schedule.scope: found "fleet"; expected "host" for continuedProcessing; it belongs to what this host's user does
        T "kind": "appRefresh", "schedule": {"every": "1h", "timeZone": "UTC"}
        = §.schedule.timeZone: found "UTC"; expected a time zone only with "calendar"
        T "kind": "appRefresh", "schedule": {"every": "1h", "jitter": "2h"}
        = §.schedule.jitter: found "2h"; expected at most "every", "1h"
        T "kind": "appRefresh", "schedule": {"every": "1h", "catchUp": "all"}
        = §.schedule.catchUp: found "all"; expected one of "none", "latest"
        T "kind": "appRefresh", "schedule": {"every": "1h", "payload": 7}
        = §.schedule.payload: found the number 7; expected a text, the payload of scheduled runs
        T "kind": "appRefresh", "schedule": {"calendar": "* * * * *", "timeZone": "../x"}
        = §.schedule.timeZone: found "../x"; expected an IANA time zone such as "Europe/Berlin"
        T "kind": "appRefresh", "schedule": {"calendar": "61 * * * *"}
        = §.schedule.calendar: found "61" at character 1 of "61 * * * *"; expected a minute from 0 to 59
        T "kind": "appRefresh", "schedule": {"every": 900}
        = §.schedule.every: found the number 900; expected a duration from "1s" to "366d"; write "900s", with its unit
        T "kind": "appRefresh", "retry": {}
        = §.retry.attempts: found nothing; expected a whole number from 1 to 100; add "attempts"
        T "kind": "appRefresh", "retry": 3
        = §.retry: found the number 3; expected an object
        T "kind": "appRefresh", "retry": {"attempts": 0}
        = §.retry.attempts: found the number 0; expected a whole number from 1 to 100
        T "kind": "appRefresh", "retry": {"attempts": 101}
        = §.retry.attempts: found the number 101; expected a whole number from 1 to 100
        T "kind": "appRefresh", "retry": {"attempts": 2.5}
        = §.retry.attempts: found the number 2.5; expected a whole number from 1 to 100
        T "kind": "appRefresh", "retry": {"attempts": "3", "backoff": "8d"}
        = §.retry.attempts: found "3"; expected a whole number from 1 to 100
        = §.retry.backoff: found "8d"; expected a duration from "0s" to "7d"
        T "kind": "appRefresh", "retry": {"attempts": 2, "jitter": "2d"}
        = §.retry.jitter: found "2d"; expected a duration from "0s" to "1d"
        X "library": "l", "permissions": {"read": "/etc"}
        = $.permissions.read: found "/etc"; expected an array of paths
        X "library": "l", "permissions": {"read": ["etc", "~/x", "$HOME/x", "$STAT/x", "/a/../b", "", 3, "/ok", "$STATEx", "/a\u0000b"]}
        = $.permissions.read[0]: found "etc"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; write "$MANIFEST/…" for a path beside the manifest
        = $.permissions.read[1]: found "~/x"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; a home folder is not known here; spell it out
        = $.permissions.read[2]: found "$HOME/x"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE
        = $.permissions.read[3]: found "$STAT/x"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; did you mean "$STATE"?
        = $.permissions.read[4]: found "/a/../b"; expected a path without ".."; name the folder itself
        = $.permissions.read[5]: found an empty string; expected a path
        = $.permissions.read[6]: found the number 3; expected a path
        = $.permissions.read[8]: found "$STATEx"; expected an absolute path, or one that begins with $MANIFEST, $STATE or $CACHE; did you mean "$STATE"?
        = $.permissions.read[9]: found "/a\u0000b"; expected a path without control characters
        X "library": "l", "permissions": {"network": ["a", "a:0", "a:65536", "a:http", "::1:80", "[::1]:80", "[::g]:80", "*.b.c:1", "https://a:1", "300.1.1.1:80", "-a:1", "a:080", 80, ":80"]}
        = $.permissions.network[0]: found no port at character 2 of "a"; expected "host:port" such as "example.com:443", "10.0.0.0/8:443", "[fd00::/8]:443" or "*:443"; add the port, such as ":443"
        = $.permissions.network[1]: found the port "0" at character 3 of "a:0"; expected a port from 1 to 65535, or "*" for all
        = $.permissions.network[2]: found the port "65536" at character 3 of "a:65536"; expected a port from 1 to 65535, or "*" for all
        = $.permissions.network[3]: found the port "http" at character 3 of "a:http"; expected a port from 1 to 65535, or "*" for all
        = $.permissions.network[4]: found the host "::1" at character 1 of "::1:80"; expected a host name or an address; put an IPv6 address in brackets
        = $.permissions.network[6]: found the host "[::g]" at character 1 of "[::g]:80"; expected an IPv6 address or network in brackets
        = $.permissions.network[7]: found the host "*.b.c" at character 1 of "*.b.c:1"; expected a host name, an address, a network, "loopback" or "*"; "*" stands for any host and cannot be a part of a name
        = $.permissions.network[8]: found the host "https://a" at character 1 of "https://a:1"; expected a host name or an address; leave out the scheme
        = $.permissions.network[9]: found the host "300.1.1.1" at character 1 of "300.1.1.1:80"; expected a host name, an address, a network, "loopback" or "*"
        = $.permissions.network[10]: found the host "-a" at character 1 of "-a:1"; expected a host name, an address, a network, "loopback" or "*"
        = $.permissions.network[11]: found the port "080" at character 3 of "a:080"; expected a port from 1 to 65535, or "*" for all
        = $.permissions.network[12]: found the number 80; expected "host:port" such as "example.com:443", "10.0.0.0/8:443", "[fd00::/8]:443" or "*:443"
        = $.permissions.network[13]: found the host "" at character 1 of ":80"; expected a host name, an address, a network, "loopback" or "*"
        X "library": "l", "permissions": {"network": ["10.0.0.0/8:*", "10.1.2.3/8:80", "10.0.0.0/99:80"]}
        = $.permissions.network[1]: found the network "10.1.2.3/8" at character 1 of "10.1.2.3/8:80"; expected no bits behind the prefix; write 10.0.0.0/8
        = $.permissions.network[2]: found the prefix "/99" at character 9 of "10.0.0.0/99:80"; expected a prefix from /0 to /32
        X "library": "l", "permissions": {"writes": []}
        = $.permissions.writes: found the unknown key "writes"; expected one of read, write, execute, attributes, network, sockets, ping, capabilities; did you mean "write"?
        """#)

    @Test func everyCaseOfTheTableIsRead() { #expect(Self.cases.count == 55) }

    @Test("A fault of budgets, schedules, retries and permissions is reported in these words", arguments: cases)
    func faultIsTold(_ fault: FaultCase) {
        #expect(ManifestText.messages(fault.manifest) == fault.messages)
    }
}
