/// How freely a path may be granted: a person who writes a manifest by hand would think twice about some.
package struct LearnedPlaces: Sendable, Equatable {
    /// The home of the user who the task runs as.
    package var home: String
    /// What the task may do anyway: its own folders and its program.
    package var granted: [String]
    /// Places that a person said yes to, though they are broad or secret.
    package var allowed: Set<String>

    package init(home: String, granted: [String], allowed: Set<String> = []) {
        self.home = home
        self.granted = granted
        self.allowed = allowed
    }

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

    /// Whether a folder may be granted as a whole.
    package func isNatural(_ folder: String) -> Bool {
        if allowed.contains(folder) { return true }
        return !Self.broad.contains(folder) && folder != home && !isSecret(folder)
    }

    /// Whether it lies where keys and passwords are.
    package func isSecret(_ path: String) -> Bool {
        guard !allowed.contains(path) else { return false }
        return Self.secrets.contains { secret in secret != home && Self.lies(path, in: secret) }
            || Self.secretsOfHome.contains { Self.lies(path, in: home + "/" + $0) }
    }

    func isGranted(_ path: String) -> Bool { granted.contains { Self.lies(path, in: $0) } }

    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }

    /// The folder that it is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a name is made up for one run: with a date or another long number.
    static func isChanging(_ name: Substring) -> Bool {
        var (digits, dashes) = (0, 0)
        for character in name.utf8 {
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
