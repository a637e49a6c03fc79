import Glibc

/// The names in a folder, taken a few at a time. Names that come or go meanwhile may be told or not (readdir(3)).
package final class FolderListing {
    private let stream: OpaquePointer

    package init(_ path: String) throws(SystemError) {
        guard let stream = opendir(path) else { throw SystemError("opendir", code: errno, object: path) }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The next names, `count` at most, without `.` and `..`, in no order; none: those were all.
    package func next(_ count: Int) -> [String] {
        var names: [String] = []
        // readdir gives nil at the end and on errors alike; what was read so far serves both.
        while names.count < count, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
