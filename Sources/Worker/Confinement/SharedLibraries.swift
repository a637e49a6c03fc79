import Linux

/// The names in a folder that look like shared libraries: `x.so`, `x.so.1`.
struct SharedLibraries {
    private(set) var names: [String] = []

    /// How many are read at most; no library is linked with more neighbors.
    static let maximum = 256

    /// Reads the folder; one that cannot be read has none.
    init(in folder: String) {
        guard let opened = try? Descriptor.open(folder, [.O_PATH, .O_DIRECTORY]),
            let entries = try? FolderEntries(of: opened)
        else { return }
        while names.count < Self.maximum, let (bytes, kind) = entries.next() {
            // Links are skipped: their targets are found under their own names or are elsewhere.
            guard kind == .file || kind == .unknown else { continue }
            let name = String(decoding: bytes, as: UTF8.self)
            if Self.isLibrary(name) { names.append(name) }
        }
    }

    static func isLibrary(_ name: String) -> Bool { name.hasSuffix(".so") || name.contains(".so.") }
}
