import CLinux

/// Folders by path.
package enum Folder {
    /// Opens a folder for use with `openat` and as a place, not for reading (`O_PATH`); a link is not followed.
    package static func open(_ path: String) throws(SystemError) -> Descriptor {
        try Descriptor.open(path, [.O_PATH, .O_DIRECTORY, .O_NOFOLLOW])
    }

    /// Opens a path without any link, as an O_PATH descriptor. `ELOOP`: a part is a link.
    package static func openWithoutLinks(_ path: String) throws(SystemError) -> Descriptor {
        unsafe Descriptor(adopting: try check(clinux_open_path_without_links(path), "open", path))
    }

    /// Names of the folders in `path`, without `.` and `..`, in no order.
    ///
    /// - Parameter limit: names beyond it are left out, so that no folder can fill the memory.
    package static func children(of path: String, limit: Int = 65_536) throws(SystemError) -> [String] {
        let entries = try FolderEntries(path)
        var names: [String] = []
        while names.count < limit, let (name, kind) = entries.next() {
            if kind == .folder { names.append(String(decoding: name, as: UTF8.self)) }
        }
        return names
    }
}
