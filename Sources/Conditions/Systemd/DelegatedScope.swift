import Linux
package import TaskModel

/// A control group of a process's own, with all controllers handed over to it: what
/// `systemd-run --scope -p Delegate=yes` makes (systemd.scope(5), "Control Group Delegation" in systemd.resource-control(5)).
package enum DelegatedScope {
    /// Moves the process into a new scope. An existing scope of that name, with processes of a dead host, is killed first,
    /// so the name must belong to one live host alone.
    ///
    /// - Parameters:
    ///   - name: without `.scope`; letters, digits and hyphens.
    ///   - socket: the manager's.
    /// - Throws: why it stays where it is.
    package static func enter(
        _ name: String, process: Int32, socket: String = SystemdManager.socket, patience: TimeSpan = .seconds(5)
    ) throws(SystemdManager.Fault) {
        let manager = try SystemdManager(socket: socket, patience: patience)
        let unit = name + ".scope"
        do throws(SystemdManager.Fault) {
            try start(unit, process, manager)
        } catch {
            guard error.name == "org.freedesktop.systemd1.UnitExists" else { throw error }
            try clear(unit, manager)
            try start(unit, process, manager)
        }
    }

    private static func start(_ unit: String, _ process: Int32, _ manager: SystemdManager) throws(SystemdManager.Fault)
    {
        try manager.run("StartTransientUnit") { arguments in
            arguments.string(unit)
            arguments.string("fail")
            arguments.properties([
                ("Description", .text("taskhost, started from a shell")),
                ("PIDs", .numbers([UInt32(process)])),
                ("Delegate", .flag(true)),
                // Removed when its processes have ended, in any way.
                ("CollectMode", .text("inactive-or-failed")),
            ])
            arguments.noUnits()
        }
    }

    /// SIGKILL first: stopping a scope asks its processes to exit, and waits for a minute and a half.
    private static func clear(_ unit: String, _ manager: SystemdManager) throws(SystemdManager.Fault) {
        try? manager.call("KillUnit") { arguments in
            arguments.string(unit)
            arguments.string("all")
            arguments.number(Signal.SIGKILL.rawValue)
        }
        do throws(SystemdManager.Fault) {
            try manager.run("StopUnit") { arguments in
                arguments.string(unit)
                arguments.string("replace")
            }
        } catch {
            // It has ended by itself.
            guard error.name == "org.freedesktop.systemd1.NoSuchUnit" else { throw error }
        }
    }
}
