import Linux
import TaskModel

/// The inspected libraries, by identity: each distinct file is read once and has one descriptor, for all applications
/// that name it. Thread: one.
package final class LibraryShelf {
    private struct Open {
        weak var file: LibraryFile?
    }

    private struct Known {
        var facts: LibraryFacts
        var sweep: UInt64
    }

    private var open: [FileIdentity: Open] = [:]
    private var known: [FileIdentity: Known] = [:]
    private var sweep: UInt64 = 0
    /// How many files were read, and how many pages of them: for tests.
    package private(set) var filesRead = 0
    package var pagesRead: Int { known.values.reduce(0) { $0 + $1.facts.pagesRead } }
    /// How many library files are held open.
    package var openFiles: Int { open.values.count { $0.file != nil } }

    package init() {}

    /// The file that was just opened, or the same one from before, and its facts.
    func take(_ descriptor: consuming Descriptor) throws(SystemError) -> (file: LibraryFile, facts: LibraryFacts) {
        let identity = try FileIdentity(of: descriptor)
        let file: LibraryFile
        if let same = open[identity]?.file {
            file = same
        } else {
            file = LibraryFile(descriptor, identity)
            open[identity] = Open(file: file)
        }
        if let facts = known[identity]?.facts {
            known[identity]?.sweep = sweep
            return (file, facts)
        }
        filesRead += 1
        let facts = try LibraryFacts(reading: file.descriptor, size: identity.size)
        if identity.isSettled(at: Clock.moment().time) { known[identity] = Known(facts: facts, sweep: sweep) }
        return (file, facts)
    }

    /// All libraries are about to be inspected again.
    func beginSweep() { sweep += 1 }

    /// Removes files that were not used since: they were replaced.
    func endSweep() {
        known = known.filter { $0.value.sweep == sweep }
        open = open.filter { $0.value.file != nil }
    }
}
