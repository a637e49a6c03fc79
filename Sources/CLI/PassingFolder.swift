import Linux

/// A state folder for the length of one verb, removed with all that is in it.
final class PassingFolder {
    let path: String
    private let terminal: Terminal

    /// - Parameter prefix: the path, to which random characters are added.
    init(_ prefix: String, _ terminal: Terminal) throws(Failure) {
        self.terminal = terminal
        do throws(SystemError) {
            path = try FileSystem.makeTemporaryFolder(prefix)
        } catch {
            throw .cannotCreate("the verb's files cannot be created; \(error); free space in /tmp")
        }
    }

    deinit {
        do throws(SystemError) {
            try FileSystem.removeTree(path)
        } catch {
            terminal.note("taskhost: the verb's files remain; \(path): \(error); remove them")
        }
    }
}
