package import Linux
package import TaskModel

/// The space where a state folder is, or would be.
package enum StateSpace {
    /// Free space below which the disk counts as nearly full: 128 MiB, or a twentieth of a smaller file system.
    package static func defaultFloor(of folder: String) -> ByteCount {
        let total = space(for: folder)?.total ?? 0
        return min(.mebibytes(128), ByteCount(bytes: total / 20))
    }

    /// Of the folder's file system, or of the one where the folder would be created.
    package static func space(for folder: String) -> FileSystem.Space? {
        var path = folder
        while true {
            if let space = try? FileSystem.space(of: path) { return space }
            let above = FilePlace(path).folder
            guard above != path else { return nil }
            path = above
        }
    }
}
