/// The place of this process in each cgroup hierarchy, read from the text of `/proc/self/cgroup` and
/// `/proc/self/mountinfo` (cgroups(7), proc_pid_mountinfo(5)).
package struct CgroupLayout: Equatable, Sendable {
    /// The folder of the process in each hierarchy that is mounted and in sight.
    package private(set) var folders: [Hierarchy: String] = [:]
    /// The mount points of all cgroup hierarchies.
    package private(set) var mountPoints: [String] = []

    package init(cgroup: String, mountInfo: String) {
        var paths: [Hierarchy: String] = [:]
        for line in cgroup.split(separator: "\n") {
            // hierarchy-ID:controller-list:path; the path may hold colons.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[0] == "0" && fields[1].isEmpty { paths[.unified] = String(fields[2]) }
            for controller in fields[1].split(separator: ",") {
                if let hierarchy = Self.hierarchy(of: controller) { paths[hierarchy] = String(fields[2]) }
            }
        }
        for line in mountInfo.split(separator: "\n") {
            guard let mount = Mount(line) else { continue }
            mountPoints.append(mount.point)
            for hierarchy in mount.hierarchies {
                // The first mount that shows the folder wins: further ones are bind mounts of the same.
                guard folders[hierarchy] == nil, let path = paths[hierarchy],
                    let folder = mount.folder(of: path)
                else { continue }
                folders[hierarchy] = folder
            }
        }
    }

    private static func hierarchy(of controller: Substring) -> Hierarchy? {
        Hierarchy(rawValue: String(controller)).flatMap { $0 == .unified ? nil : $0 }
    }

    /// One line of mountinfo that shows a cgroup hierarchy.
    private struct Mount {
        var root: String
        var point: String
        var hierarchies: [Hierarchy]

        /// ID parent major:minor root point options [tags…] - type source super-options
        init?(_ line: Substring) {
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else { return nil }
            root = Self.unescape(fields[3])
            point = Self.unescape(fields[4])
            switch fields[dash + 1] {
            case "cgroup2": hierarchies = [.unified]
            case "cgroup": hierarchies = fields[dash + 3].split(separator: ",").compactMap(CgroupLayout.hierarchy)
            default: return nil
            }
        }

        /// The mounted folder of the hierarchy's `path`; nil when it is outside of the mount, as in a container with a
        /// part of the hierarchy.
        func folder(of path: String) -> String? {
            guard !path.split(separator: "/").contains("..") else { return nil }
            var below = path[...]
            if root != "/" {
                guard path == root || path.hasPrefix(root + "/") else { return nil }
                below = path.dropFirst(root.count)
            }
            return below == "/" || below.isEmpty ? point : point + below
        }

        /// Space, tab, line feed and backslash appear as `\040` and so on.
        private static func unescape(_ field: Substring) -> String {
            guard field.contains("\\") else { return String(field) }
            var bytes: [UInt8] = []
            var rest = Array(field.utf8)[...]
            while let byte = rest.popFirst() {
                let digits = rest.prefix(3)
                if byte == UInt8(ascii: "\\"), digits.count == 3,
                    let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
                {
                    bytes.append(code)
                    rest = rest.dropFirst(3)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
