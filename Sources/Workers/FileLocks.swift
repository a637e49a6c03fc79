import Linux

/// Locks on files that processes hold (flock(2), fcntl(2)), from `/proc/PID/fdinfo` (proc(5)).
package enum FileLocks {
    /// Whether one of the frozen processes has a lock on a file outside of the folders. An unreadable process counts as
    /// none.
    package static func areHeld(by processes: [Int32], outside folders: [String]) -> Bool {
        processes.contains { process in
            // Its open descriptors.
            ((try? FileSystem.names(in: "/proc/\(process)/fdinfo")) ?? []).contains { number in
                guard holdsLock("/proc/\(process)/fdinfo/\(number)"),
                    let path = FileSystem.linkTarget(ofPath: "/proc/\(process)/fd/\(number)"), path.hasPrefix("/")
                else { return false }
                return !folders.contains { path.hasPrefix($0 + "/") }
            }
        }
    }

    /// `lock:` lines are written for a file's locks of this open file, or of this process. A lease is none.
    private static func holdsLock(_ path: String) -> Bool {
        guard let text = try? FileText.read(path) else { return false }
        return text.split(separator: "\n").contains { $0.hasPrefix("lock:") && !$0.contains("LEASE") }
    }
}
