/// When and where the permissions of a task were learned: they hold for the programs as they were then.
package struct LearnedMark: Sendable, Equatable {
    package var at: Timestamp
    /// The version of Landlock of the machine's kernel; 0: it had none.
    package var landlock: Int
    /// SHA-256 of programs by their paths, 32 bytes each, in the order of the manifest.
    package var programs: [(path: String, digest: [UInt8])]

    package init(at: Timestamp, landlock: Int, programs: [(path: String, digest: [UInt8])]) {
        self.at = at
        self.landlock = landlock
        self.programs = programs
    }

    package static func == (a: LearnedMark, b: LearnedMark) -> Bool {
        a.at == b.at && a.landlock == b.landlock && a.programs.elementsEqual(b.programs, by: ==)
    }
}
