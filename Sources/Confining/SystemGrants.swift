import Linux

/// Files of the system that every worker may read, found once: the loader's libraries, time zones, the devices that are
/// sources of bytes, and, with network, what the resolver and TLS need.
package struct SystemGrants: Sendable {
    package struct Grant: Sendable {
        package var path: String
        package var access: LandlockAccess

        package init(path: String, access: LandlockAccess) {
            self.path = path
            self.access = access
        }
    }

    package private(set) var always: [Grant] = []
    package private(set) var withNetwork: [Grant] = []
    /// What programs of the system read and execute: each other, their data, and the names of users and languages.
    package private(set) var forPrograms: [Grant] = []
    /// Folders of `always` that are granted as a whole; files below them need no rule of their own.
    package private(set) var libraryFolders: [String] = []

    /// Where packages and administrators place programs (hier(7)): whatever lies there is for everybody, and gives nobody a right
    /// without set-user-ID bits, which no_new_privs takes away.
    package static let programFolders = ["/usr", "/opt", "/bin", "/sbin", "/lib", "/lib32", "/lib64"]

    /// Reads the present file system; absent paths are skipped.
    ///
    /// - Parameter runtime: the folder of the Swift runtime that applications load; nil: they load none.
    package init(runtime: String?) {
        var seen: Set<[UInt64]> = []
        // /lib is a link to /usr/lib on merged systems: one rule is enough.
        func isNew(_ path: String) -> Bool {
            guard let facts = try? FileSystem.followedFacts(of: path) else { return false }
            return seen.insert([facts.device, facts.inode]).inserted
        }
        func present(_ paths: [String], _ access: LandlockAccess) -> [Grant] {
            paths.filter(isNew).map { Grant(path: $0, access: access) }
        }

        var libraries = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64"]
        if let runtime, !libraries.contains(where: { GrantResolver.lies(runtime, in: $0) }) {
            libraries.append(runtime)
        }
        always = present(libraries, .read)
        libraryFolders = always.map(\.path)
        always += present(["/usr/share/zoneinfo"], .read)
        // Not resolved here: ldconfig and a change of the time zone replace these files, and a rule applies to the old
        // one.
        always += present(["/etc/ld.so.cache", "/sys/devices/system/cpu/online"], .readFile)
        always += present(["/etc/localtime"], .readFile)
        always += present(["/dev/urandom", "/dev/random", "/dev/zero"], .readFile)
        always += present(["/dev/null"], [.readFile, .writeFile])
        // As a whole, because Dispatch opens /proc/TID/stat of its own threads and traps when it cannot. Files of other
        // processes stay unreadable: they require the right to trace, which Landlock confines.
        always += present(["/proc"], .readFile)

        let systems = Self.programFolders.filter { (try? FileSystem.facts(ofPath: $0))?.isFolder == true }
        forPrograms = systems.map { Grant(path: $0, access: [.execute, .read]) }
        // ps and top list it; whoever knows a number may read what is there anyway.
        forPrograms.append(Grant(path: "/proc", access: .read))
        forPrograms += ["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/locale.alias"].map {
            Grant(path: $0, access: .readFile)
        }
        withNetwork = present(["/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates"], .read)
        withNetwork += present(["/usr/local/share/ca-certificates"], .read)
        if let resolver = Self.folderOfLink("/etc/resolv.conf") { withNetwork += present([resolver], .read) }
        withNetwork += present(
            [
                "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
                "/etc/services",
            ], .readFile)
    }

    /// All that a program without network may use.
    package var ofPrograms: [Grant] { always + forPrograms }

    /// Files that programs of the system replace by others of the same name.
    package func replaceable(network: Bool, programs: Bool) -> [String] {
        (always + (network ? withNetwork : []) + (programs ? forPrograms : [])).filter { $0.path.hasPrefix("/etc/") }
            .map(\.path)
    }

    /// The folder whose shared libraries a library may need; nil when every worker may read it.
    package func neighbours(of library: String) -> String? {
        let path = GrantResolver.normalized(library)
        guard library.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        let folder = String(path[..<slash])
        return libraryFolders.contains { GrantResolver.lies(folder, in: $0) } ? nil : folder
    }

    /// The folder that a link points into: resolvers replace the file, and a rule would hold the old one.
    private static func folderOfLink(_ path: String) -> String? {
        guard case .link(let target) = GrantResolver().entry(path) else { return nil }
        let parent = path.prefix { _ in true }.split(separator: "/").dropLast().joined(separator: "/")
        let whole = GrantResolver.normalized(target.hasPrefix("/") ? target : "/\(parent)/\(target)")
        guard let slash = whole.lastIndex(of: "/"), slash != whole.startIndex, !whole.hasPrefix("/etc/") else {
            return nil
        }
        return String(whole[..<slash])
    }
}
