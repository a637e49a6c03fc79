import Foundation

/// The file of a defaults domain: a binary property list, which unlike the XML form holds every text. Foundation's own, in XML,
/// are read as well.
struct DefaultsFile {
    /// Why it cannot be read or written: a sentence for the application's author.
    struct Failure: Error {
        let sentence: String
    }

    /// What tells one state of the file from another.
    struct Version: Equatable {
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    let folder: String
    let name: String

    private var path: String { "\(folder)/\(name)" }

    /// Which state of it is on disk; nil: there is none.
    var version: Version? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        return Version(
            inode: UInt64(facts.st_ino), size: Int(facts.st_size), seconds: facts.st_mtim.tv_sec,
            nanoseconds: facts.st_mtim.tv_nsec)
    }

    /// Its values. What is no property list is renamed and reported, and there are none.
    func read() throws(Failure) -> [String: Any] {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            guard version != nil else { return [:] }
            throw Failure(
                sentence:
                    "the defaults cannot be read; \(path): \(error.localizedDescription); check its owner and mode")
        }
        if let list = unsafe try? PropertyListSerialization.propertyList(from: bytes, format: nil),
            let values = (list as? [String: Any]).flatMap({ PropertyList.dictionary($0) })
        {
            return values
        }
        setAside()
        return [:]
    }

    /// Replaces it in one piece.
    func write(_ values: [String: Any]) throws(Failure) {
        do {
            let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            try ReplacedFile.write(bytes, to: path, beside: "\(folder)/.\(name).new")
        } catch {
            throw Failure(
                sentence:
                    "the defaults cannot be written; \(path): \(error.localizedDescription); they are kept in memory, and "
                    + "tried again with the next change; free space, or check the folder's owner and mode")
        }
    }

    /// Runs `body` while no other process of the application does. The lock is on the folder, and goes with the process.
    func locked<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        _ = unsafe mkdir(folder, 0o700)
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw Failure(
                sentence: "the defaults cannot be written; \(folder): \(reason); check the folder's owner and mode")
        }
        defer { close(descriptor) }
        guard BoundedLock.take(descriptor) else {
            throw Failure(
                sentence:
                    "the defaults cannot be written; \(folder): another process of the application has it locked; they are "
                    + "kept in memory, and tried again with the next change")
        }
        return try body()
    }

    private func setAside() {
        let aside = "\(path).damaged-\(Int(Date().timeIntervalSince1970))"
        guard unsafe rename(path, aside) == 0 else { return }
        Diagnostic.write(
            "the defaults are damaged; \(path) is no property list; it was renamed to \(aside), and the defaults are empty; restore "
                + "them from a backup, or delete it")
    }
}
