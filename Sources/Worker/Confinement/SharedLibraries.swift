import Glibc

/// The names in a folder that look like shared libraries: `x.so`, `x.so.1`.
struct SharedLibraries {
    private(set) var names: [String] = []

    /// More than this many are not looked at; no library is linked with so many neighbours.
    static let maximum = 256

    /// Reads the folder; one that cannot be read has none.
    init(in folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while names.count < Self.maximum, let entry = readdir(stream) {
            // Links are left out: what they lead to is found under its own name or lies elsewhere.
            guard entry.pointee.d_type == UInt8(DT_REG) || entry.pointee.d_type == UInt8(DT_UNKNOWN) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if Self.isLibrary(name) { names.append(name) }
        }
    }

    static func isLibrary(_ name: String) -> Bool { name.hasSuffix(".so") || name.contains(".so.") }
}
