import Glibc

/// A user of this machine, from its user database (passwd(5), or what nsswitch.conf(5) names).
package struct Account: Sendable, Equatable {
    package let name: String
    package let user: UInt32
    /// The user's own group, or the one that was asked for instead.
    package let group: UInt32
    /// The other groups that the user is a member of, ascending.
    package let groups: [UInt32]
    package let home: String

    /// More groups than any user has; the kernel takes 65,536 (NGROUPS_MAX).
    private static let mostGroups = 1024
    /// Room for an entry's texts, larger than what sysconf(_SC_GETPW_R_SIZE_MAX) suggests.
    private static let entryRoom = 64 << 10

    package init(name: String, user: UInt32, group: UInt32, groups: [UInt32], home: String) {
        self.name = name
        self.user = user
        self.group = group
        self.groups = groups
        self.home = home
    }

    /// Looks a user up. It may take as long as the machine's user database does.
    ///
    /// - Parameter group: instead of the user's own.
    /// - Throws: ENOENT with the name that the database does not have.
    package init(named name: String, group: String? = nil) throws(SystemError) {
        guard let found = try Self.entry(of: name) else { throw SystemError("user", code: .ENOENT, object: name) }
        var own = found.group
        if let group {
            guard let number = try Self.number(ofGroup: group) else {
                throw SystemError("group", code: .ENOENT, object: group)
            }
            own = number
        }
        self.init(
            name: name, user: found.user, group: own,
            groups: Self.groups(of: name, found.group).filter { $0 != own }.sorted(),
            home: found.home)
    }

    /// The name of a user; nil: the database has none with this number.
    package static func name(of user: UInt32) -> String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: entryRoom)
        guard unsafe getpwuid_r(user, &entry, &room, room.count, &found) == 0, unsafe found != nil else { return nil }
        return unsafe String(cString: entry.pw_name)
    }

    private static func entry(of name: String) throws(SystemError) -> (user: UInt32, group: UInt32, home: String)? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: entryRoom)
        let code = unsafe getpwnam_r(name, &entry, &room, room.count, &found)
        guard unsafe found != nil else {
            if code == 0 || isAbsence(code) { return nil }
            throw SystemError("getpwnam_r", code: code, object: name)
        }
        return unsafe (entry.pw_uid, entry.pw_gid, entry.pw_dir.map { unsafe String(cString: $0) } ?? "")
    }

    private static func number(ofGroup name: String) throws(SystemError) -> UInt32? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var room = [CChar](repeating: 0, count: entryRoom)
        let code = unsafe getgrnam_r(name, &entry, &room, room.count, &found)
        guard unsafe found != nil else {
            if code == 0 || isAbsence(code) { return nil }
            throw SystemError("getgrnam_r", code: code, object: name)
        }
        return unsafe entry.gr_gid
    }

    /// What the calls return when there is no such entry, by getpwnam_r(3).
    private static func isAbsence(_ code: Int32) -> Bool { [ENOENT, ESRCH, EBADF, EPERM].contains(code) }

    private static func groups(of name: String, _ own: UInt32) -> [UInt32] {
        var numbers = [UInt32](repeating: 0, count: mostGroups)
        var count = Int32(mostGroups)
        let stored = unsafe getgrouplist(name, own, &numbers, &count)
        return Array(numbers.prefix(stored < 0 ? mostGroups : Int(stored)))
    }
}
