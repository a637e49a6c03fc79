/// How freely a path may be granted: a person who writes a manifest by hand would think twice about some.
package struct LearnedPlaces: Sendable, Equatable {
    /// The home of the user who the task runs as, as it is named and without links.
    package var home: [String]
    /// What the task may do anyway: its own folders and its program.
    package var granted: [String]
    /// Places that a person said yes to, though they are broad or secret.
    package var allowed: Set<String>

    package init(home: [String], granted: [String], allowed: Set<String> = []) {
        self.home = home
        self.granted = granted
        self.allowed = allowed
    }

    /// POSIX shared memory and semaphores (shm_overview(7)).
    package static let sharedMemory = "/dev/shm"

    /// Never granted as a whole without a yes: the machine's own folders (hier(7)), and homes.
    private static let broad: Set<String> = [
        "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/media", "/mnt", "/opt", "/proc",
        "/root", "/run", "/sbin", "/sys", "/usr", "/usr/bin", "/usr/lib", "/usr/local", "/usr/sbin", "/usr/share",
        "/var",
        "/var/lib", "/var/run", "/var/spool",
    ]
    /// Keys and passwords, of the machine and in a home.
    private static let secrets = [
        "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh",
        "/etc/ssl/private", "/etc/krb5.keytab", "/root",
    ]
    private static let secretsOfHome = [
        ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".pgpass", ".my.cnf", ".git-credentials",
        ".password-store", ".config/gcloud", ".config/gh", ".local/share/keyrings", ".mozilla", ".config/chromium",
    ]

    /// Folders of which no part is anybody's to write without a yes: programs, and settings that name programs.
    private static let system = [
        "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/sbin", "/usr", "/var/spool/cron", "/opt",
    ]

    /// Whether a folder may be granted as a whole.
    package func isNatural(_ folder: String) -> Bool {
        if allowed.contains(folder) { return true }
        return !Self.broad.contains(folder) && !homes(near: folder).contains(folder) && !isSecret(folder)
            && !secrets(near: folder).contains { Self.lies($0, in: folder) }
    }

    /// Whether it may be written without a yes.
    package func isOpenForWriting(_ path: String) -> Bool {
        allowed.contains(path) || !Self.system.contains { Self.lies(path, in: $0) }
    }

    /// Whether it lies where keys and passwords are.
    package func isSecret(_ path: String) -> Bool {
        guard !allowed.contains(path) else { return false }
        return secrets(near: path).contains { Self.lies(path, in: $0) }
    }

    /// The home of the task's user, root's, and that which the path is in.
    private func homes(near path: String) -> [String] {
        let parts = path.utf8.split(separator: 0x2F, maxSplits: 2)
        let other =
            parts.count > 1 && parts[0].elementsEqual("home".utf8)
            ? ["/home/" + String(decoding: parts[1], as: UTF8.self)] : []
        return home + ["/root"] + other
    }

    private func secrets(near path: String) -> [String] {
        Self.secrets.filter { !home.contains($0) }
            + homes(near: path).flatMap { home in Self.secretsOfHome.map { "\(home)/\($0)" } }
    }

    /// Whether a socket's service does whatever it is asked: as root, or with the keys or the session of a user.
    package func isPowerful(socket path: String) -> Bool {
        guard !allowed.contains(path) else { return false }
        return Self.powerfulSockets.contains { Self.lies(path, in: $0) } || path.hasPrefix("/tmp/ssh-")
            || isSecret(path)
    }

    private static let powerfulSockets = [
        "/run/docker.sock", "/run/podman", "/run/containerd", "/run/dbus", "/run/user", "/run/systemd/private",
        "/run/systemd/io.systemd.Manager", "/run/snapd.socket", "/run/libvirt", "/run/taskhost", "/var/lib/taskhost",
    ]

    func isGranted(_ path: String) -> Bool { granted.contains { Self.lies(path, in: $0) } }

    /// By bytes, as the kernel compares: a character may be a separator with an accent.
    static func lies(_ path: String, in folder: String) -> Bool {
        if folder == "/" { return true }
        let (path, folder) = (path.utf8, folder.utf8)
        guard path.starts(with: folder) else { return false }
        let rest = path.dropFirst(folder.count)
        return rest.isEmpty || rest.first == 0x2F
    }

    /// The folder that it is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F), slash != path.utf8.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Its last part.
    package static func name(of path: String) -> String {
        path.utf8.split(separator: 0x2F).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether a name is made up for one run: with a date or another long number.
    static func isChanging(_ path: String) -> Bool {
        let name = path.utf8.split(separator: 0x2F).last ?? path.utf8[...]
        var (digits, dashes) = (0, 0)
        for character in name {
            switch character {
            case 0x30...0x39: digits += 1
            case 0x2D, 0x5F, 0x2E, 0x3A, 0x54: if digits > 0 { dashes += 1 }
            default:
                if digits >= 6 { return true }
                (digits, dashes) = (0, 0)
            }
        }
        return digits >= 6
    }
}
