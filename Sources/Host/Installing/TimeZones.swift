import Glibc
import Linux
import Scheduling

/// The machine's time zones, and the number that makes its schedules its own.
final class TimeZones {
    private static let folder = "/usr/share/zoneinfo"
    /// Files of zones are a few kilobytes.
    private static let longest = 1 << 20

    /// Bytes that no two machines share.
    let machineSeed: [UInt8]
    private var known: [String: TimeZoneRules] = [:]

    /// - Parameter stateFolder: tells hosts of machines without /etc/machine-id (machine-id(5)) apart.
    init(stateFolder: String) {
        let id = Self.read("/etc/machine-id", limit: 64)
        machineSeed = id.isEmpty ? Array(stateFolder.utf8) : id
    }

    /// The rules of an IANA zone, or of the machine's own (nil). nil: there is no such zone here.
    func rules(named name: String?) -> TimeZoneRules? {
        let key = name ?? ""
        if let rules = known[key] { return rules }
        guard let path = name.map({ Self.path(of: $0) }) ?? "/etc/localtime" else { return nil }
        let bytes = Self.read(path, limit: Self.longest)
        // A machine that says nothing keeps universal time (tzset(3)).
        let rules = bytes.isEmpty && name == nil ? .utc : try? TimeZoneRules(tzif: bytes)
        known[key] = rules
        return rules
    }

    /// nil for a name that leads out of the folder.
    private static func path(of name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), name.utf8.count < 256 else {
            return nil
        }
        return folder + "/" + name
    }

    private static func read(_ path: String, limit: Int) -> [UInt8] {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_CLOEXEC) else { return [] }
        return (try? FileSystem.read(file, limit: limit, naming: path)) ?? []
    }
}
