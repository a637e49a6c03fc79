/// The least permissions under which a task can do what it was seen to do.
package struct Proposal: Sendable, Equatable {
    /// A line of `permissions`.
    package struct Line: Sendable, Hashable {
        package var permission: Permission
        /// A path, `HOST:PORT`, or empty where the permission is a truth value.
        package var place: String
        /// What was seen, as a sentence's end.
        package var why: String
        /// In how many of the runs.
        package var runs: Int

        package init(_ permission: Permission, _ place: String, why: String, runs: Int) {
            self.permission = permission
            self.place = place
            self.why = why
            self.runs = runs
        }
    }

    /// Something that no permission can allow.
    package struct Obstacle: Sendable, Hashable {
        package var what: String
        package var why: String
    }

    /// By permission, then by place.
    package internal(set) var lines: [Line] = []
    /// Lines that need a yes: folders of the machine, homes, and where keys and passwords are.
    package internal(set) var apart: [Line] = []
    package internal(set) var obstacles: [Obstacle] = []
    /// System calls that confined programs are refused, with the program: many do without them.
    package internal(set) var calls: [Obstacle] = []
    /// The programs that it started, in their order.
    package internal(set) var programs: [String] = []
    /// What was not seen.
    package internal(set) var unseen: [String] = []
    package let runs: Int

    init(runs: Int) { self.runs = runs }

    /// - Parameter runs: what each was seen to do.
    package init(_ runs: [[Observation]], _ places: LearnedPlaces) { self = Proposer.proposal(runs, places) }

    // MARK: Changing it

    /// Without one of its lines.
    package func without(_ line: Line) -> Proposal {
        var copy = self
        copy.lines.removeAll { $0 == line }
        return copy
    }
}
