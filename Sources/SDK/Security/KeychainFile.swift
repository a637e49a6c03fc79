internal import TaskHostRuntime

/// The file of the items, as long as it is locked against the application's other threads and processes.
struct KeychainFile: ~Copyable {
    private let path: String
    private let lock: Int32
    private static let kind = "class"
    private static let attributes = "attributes"

    /// Waits for the lock, two seconds at most.
    /// - Parameter folder: the application's state folder.
    init(in folder: String) throws(KeychainFailure) {
        path = folder + "/.keychain"
        let lock = unsafe open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw KeychainFailure(errSecIO) }
        guard BoundedLock.take(lock) else {
            close(lock)
            throw KeychainFailure(errSecIO)
        }
        self.lock = lock
    }

    deinit { close(lock) }

    /// None when there is no file yet.
    func items() throws(KeychainFailure) -> [KeychainItem] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let data = FileManager.default.contents(atPath: path) else { throw KeychainFailure(errSecIO) }
        let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        guard let entries = list as? [[String: Any]] else { throw KeychainFailure(errSecDecode) }
        var items: [KeychainItem] = []
        for entry in entries {
            guard let kind = entry[Self.kind] as? String, let attributes = entry[Self.attributes] as? [String: Any]
            else {
                throw KeychainFailure(errSecDecode)
            }
            items.append(KeychainItem(kind: kind, attributes: attributes))
        }
        return items
    }

    func replace(with items: [KeychainItem]) throws(KeychainFailure) {
        let entries = items.map { [Self.kind: $0.kind, Self.attributes: $0.attributes] as [String: Any] }
        guard let data = try? PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0)
        else {
            throw KeychainFailure(errSecParam)
        }
        do {
            try ReplacedFile.write(data, to: path, beside: path + ".new")
        } catch {
            throw KeychainFailure(errSecIO)
        }
    }
}
