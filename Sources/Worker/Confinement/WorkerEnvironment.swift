import Linux
package import Wire

/// The environment of a worker: an allow-list, so that no token, agent socket or loader setting of the host's reaches a
/// plugin.
package enum WorkerEnvironment {
    /// Variables of the host's environment that are passed on, since they belong to the machine and not to the user.
    private static let kept = ["LANG", "TZ"]
    /// Longer values are left out.
    private static let maximumValue = 256

    /// Of this project's processes beside a program.
    private static let fixed = [("PATH", "/usr/bin:/bin"), ("SWIFT_BACKTRACE", "enable=no")]

    /// All that a broker has.
    static var ofBroker: [String] {
        let runtime = SwiftRuntime.told.map { [(SwiftRuntime.variable, $0)] } ?? []
        return (fixed + runtime).map { "\($0)=\($1)" }
    }

    /// Variables of every worker.
    private static func base() -> [(String, String)] {
        var variables = fixed
        for name in kept {
            if let value = ThisProcess.variable(name), value.utf8.count <= maximumValue {
                variables.append((name, value))
            }
        }
        return variables
    }

    /// The variables by which an application finds itself and its folders.
    private static func places(of plan: LaunchPlan, cache: String) -> [(String, String)] {
        [
            ("TASKHOST_APPLICATION", plan.application),
            ("TASKHOST_STATE", plan.stateDirectory),
            ("TASKHOST_CACHE", cache),
            ("TASKHOST_MANIFEST", plan.manifestDirectory),
        ]
    }

    /// Without confinement: what cron gives, by crontab(5), and the application's places.
    static func ofLogin(_ plan: LaunchPlan) -> [(String, String)] {
        base() + [
            ("HOME", plan.home), ("SHELL", "/bin/sh"), ("USER", plan.identity.name), ("LOGNAME", plan.identity.name),
        ] + places(of: plan, cache: plan.cacheDirectory)
    }

    /// The environment of a worker with this plan.
    package static func make(_ plan: LaunchPlan) -> [(String, String)] {
        var variables = base()
        let state = plan.stateDirectory
        let cache = plan.cacheDirectory.isEmpty ? state : plan.cacheDirectory
        variables += [
            ("HOME", state),
            // NSHomeDirectory asks the user database first; this overrules it.
            ("CFFIXED_USER_HOME", state),
            ("TMPDIR", cache),
            ("XDG_CONFIG_HOME", state + "/.config"),
            ("XDG_DATA_HOME", state + "/.local/share"),
            ("XDG_STATE_HOME", state + "/.local/state"),
            ("XDG_CACHE_HOME", cache),
        ]
        variables += places(of: plan, cache: cache)
        if plan.identity.kind == .account {
            variables += [("USER", plan.identity.name), ("LOGNAME", plan.identity.name)]
        }
        // Names are resolved over TCP: UDP is not granted.
        if !plan.ports.isEmpty { variables.append(("RES_OPTIONS", "use-vc")) }
        return variables
    }
}
