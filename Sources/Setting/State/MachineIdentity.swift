import Linux
import TaskModel

/// What tells this machine from others.
package enum MachineIdentity {
    /// Its host name.
    package static var name: String {
        let text = (try? FileText.read("/proc/sys/kernel/hostname")) ?? ""
        return text.split(separator: "\n").first.map(String.init) ?? "localhost"
    }

    // MARK: A number for the delays of its schedules. Never shown.

    /// 32 hexadecimal digits and a newline (machine-id(5)).
    private static let length = 32

    /// The machine's id; without one, a number that the state folder keeps.
    ///
    /// - Parameter makes: creates that number when there is none: for the host that holds the folder.
    /// - Returns: empty when neither can be had: then the delays are those of every such machine.
    package static func seed(stateFolder: String?, makes: Bool, file: String = "/etc/machine-id") -> [UInt8] {
        if let seed = read(file) { return seed }
        guard let stateFolder else { return [] }
        let kept = stateFolder + "/machine-id"
        if let seed = read(kept) { return seed }
        guard makes else { return [] }
        var pool = RandomPool()
        let (high, low) = pool.bits()
        let (more, _) = pool.bits()
        let digits = Hexadecimal.text(UInt64(high) << 16 | UInt64(more)) + Hexadecimal.text(low)
        do throws(SystemError) {
            let new = try Descriptor.open(kept, [.O_WRONLY, .O_CREAT, .O_TRUNC, .O_NOFOLLOW, .O_NONBLOCK], mode: 0o600)
            try FileSystem.write(Array((digits + "\n").utf8), to: new, naming: kept)
            return Array(digits.utf8)
        } catch {
            return []
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let text = try? FileText.read(path, limit: 4096) else { return nil }
        let digits = Array(text.utf8.prefix(length))
        let isID = digits.count == length && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return isID ? digits : nil
    }
}
