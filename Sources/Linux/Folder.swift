import CLinux
import Glibc

/// Folders by path.
package enum Folder {
    /// Opens a folder for use with `openat` and as a place, not for reading (`O_PATH`); a link is not followed.
    package static func open(_ path: String) throws(SystemError) -> Descriptor {
        try Descriptor.open(path, [.O_PATH, .O_DIRECTORY, .O_NOFOLLOW])
    }

    /// Opens what has a path no part of which is a link, as a place. `ELOOP`: one is.
    package static func openWithoutLinks(_ path: String) throws(SystemError) -> Descriptor {
        Descriptor(adopting: try check(clinux_open_path_without_links(path), "open", path))
    }

    /// Names of the folders in `path`, without `.` and `..`, in no order.
    ///
    /// - Parameter limit: names beyond it are left out, so that no folder can fill the memory.
    package static func children(of path: String, limit: Int = 65_536) throws(SystemError) -> [String] {
        guard let stream = opendir(path) else { throw SystemError("opendir", code: errno, object: path) }
        defer { closedir(stream) }
        var names: [String] = []
        // readdir gives nil at the end and on errors alike; what was read so far serves both.
        while names.count < limit, let entry = readdir(stream) {
            guard entry.pointee.d_type == UInt8(DT_DIR) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
