internal import Foundation

/// The secrets of one run: texts, and the files that a descriptor was asked for.
final class CellSecrets: @unchecked Sendable {  // `lock` guards the variables
    private let folder: URL
    private let lock = NSLock()
    private var texts: [String: [UInt8]]
    private var files: [String: FileHandle] = [:]

    /// - Parameter folder: of the host.
    init(_ texts: [String: [UInt8]], folder: URL) { (self.texts, self.folder) = (texts, folder) }

    /// nil: the run has none of that name, or is over.
    func text(_ name: String) -> [UInt8]? { lock.withLock { texts[name] } }

    /// A descriptor to read it from; nil: as of `text`, or no file can be made.
    func descriptor(_ name: String) -> Int32? {
        lock.withLock {
            guard let text = texts[name] else { return nil }
            if files[name] == nil {
                let place = folder.appending(path: "secret-\(UUID().uuidString)")
                let isMade = FileManager.default.createFile(
                    atPath: place.path, contents: Data(text), attributes: [.posixPermissions: 0o400])
                guard isMade else { return nil }
                files[name] = try? FileHandle(forReadingFrom: place)
                try? FileManager.default.removeItem(at: place)
            }
            return files[name]?.fileDescriptor
        }
    }

    /// The run's last reference is gone.
    func forget() {
        lock.withLock {
            texts.removeAll()
            files.removeAll()
        }
    }
}
