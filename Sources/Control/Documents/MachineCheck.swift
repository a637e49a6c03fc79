package import JSON
import TaskModel

/// One line of `taskhost doctor`: something that the host wants of its machine.
package struct MachineCheck: Sendable, Equatable {
    package enum Name: NamedCases, Sendable {
        case host, kernel, landlock, controlGroups, delegation, pressure, bus, linger, clock, disk, sleep, journal
        case limits, metrics, record, manifests, confinement, sharedMemory, ping, refusals, fleet, memory
    }

    package enum Status: NamedCases, Sendable {
        /// The host has what it wants.
        case ok
        /// The host works, with less than it could have.
        case note
        /// Runs are refused, or do not start.
        case fault
    }

    package var name: Name
    package var status: Status
    /// What the host observes.
    package var found: String
    /// What is missing because of that; nil: nothing.
    package var costs: String?
    /// One line that says what to do; nil: nothing.
    package var remedy: String?

    package init(_ name: Name, _ status: Status, _ found: String, costs: String? = nil, remedy: String? = nil) {
        self.name = name
        self.status = status
        self.found = found
        self.costs = costs
        self.remedy = remedy
    }

    package static func ok(_ name: Name, _ found: String) -> MachineCheck { MachineCheck(name, .ok, found) }

    package var json: JSONOutput {
        .object([
            "check": .string(name.name), "status": .string(status.name), "found": .string(found),
            "costs": JSONOutput(costs), "remedy": JSONOutput(remedy),
        ])
    }

    /// The checks of a reply of `GET /v1/doctor`. Those that only another version knows are left out.
    package static func list(in document: JSONValue) -> [MachineCheck] {
        (document["checks"]?.array ?? []).compactMap { check in
            guard let name = check["check"]?.string.flatMap(Name.init(name:)),
                let status = check["status"]?.string.flatMap(Status.init(name:)), let found = check["found"]?.string
            else { return nil }
            return MachineCheck(
                name, status, found, costs: check["costs"]?.string, remedy: check["remedy"]?.string)
        }
    }
}
