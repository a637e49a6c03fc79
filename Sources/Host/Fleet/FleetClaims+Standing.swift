import Setting
package import TaskModel

// What other hosts and people see of this one.
extension FleetClaims {
    /// A task that this host installs.
    package struct Standing: Sendable {
        package var identifier: String
        /// A request of it could start now.
        package var couldStart: Bool
        /// What holds it otherwise; nil: no gate does.
        package var gate: Gate?
    }

    package var standings: [Standing] {
        installed.tasks.indices.filter { !installed.tasks[$0].isRemoved }.map { task in
            Standing(
                identifier: installed.tasks[task].definition.identifier, couldStart: decider.couldStart(task),
                gate: decider.holdingGate(of: task))
        }
    }
}
