/// Names of the folders that hold workers.
package enum GroupName {
    /// Longest folder name in bytes; file systems end at 255.
    package static let longest = 200

    /// `7-com.example.feeds`: the serial comes first, so that no name can equal a control file such as `memory.max`, and
    /// that cutting a long identifier leaves names distinct. Characters other than ASCII letters, digits, dots, hyphens and
    /// underscores become underscores.
    package static func make(_ application: String, serial: UInt64) -> String {
        let prefix = "\(serial)-"
        let bytes = application.utf8.prefix(longest - prefix.utf8.count).map { byte in
            isPlain(byte) ? byte : UInt8(ascii: "_")
        }
        return prefix + String(decoding: bytes, as: UTF8.self)
    }

    /// Whether `name` may become the parent folder of a host: the characters of `make`, bounded, no control file.
    package static func isValidParent(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longest && name.utf8.allSatisfy(isPlain) && !name.hasPrefix(".")
            && !["cgroup.", "memory.", "pids.", "cpu.", "cpuacct.", "freezer.", "io."].contains { name.hasPrefix($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
