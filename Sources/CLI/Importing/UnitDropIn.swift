import Linux

/// The drop-in that gives back to commands without confinement what the package's service takes from all that it starts
/// (systemd.exec(5)). Confined workers lose nothing by it: they confine themselves.
enum UnitDropIn {
    private static let text = """
        # Written by taskhost import --unit: commands with "confinement": "none" get all rights of their user.
        [Service]
        NoNewPrivileges=no
        CapabilityBoundingSet=~
        SystemCallFilter=
        SystemCallArchitectures=
        RestrictAddressFamilies=
        RestrictNamespaces=no
        RestrictRealtime=no
        RestrictSUIDSGID=no
        LockPersonality=no
        KeyringMode=inherit
        PrivateMounts=no
        ProtectClock=no
        DevicePolicy=auto
        ProtectHostname=no
        ProtectKernelLogs=no
        ProtectKernelModules=no
        ProtectKernelTunables=no
        TasksMax=infinity

        """

    /// Root's host is the machine's service; the service of an ordinary user takes nothing away.
    ///
    /// - Throws: the file cannot be written.
    static func offer(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) {
        let folder = "/etc/systemd/system/taskhost.service.d"
        let path = folder + "/unconfined.conf"
        guard arguments.has("--unit"), !arguments.has("--dry-run") else {
            if ThisProcess.isRoot, hasService, (try? FileSystem.facts(ofPath: path)) == nil {
                terminal.note(
                    "note: taskhost's service takes rights from the commands, such as those of set-user-ID programs; give them back "
                        + "with: taskhost import --unit, and the command that it prints")
            }
            return
        }
        guard ThisProcess.isRoot else {
            return terminal.note("note: a user's own service takes nothing from the commands: it needs no drop-in")
        }
        do throws(SystemError) {
            try FileSystem.makeFolders(folder, mode: 0o755)
            let file = try Descriptor.open(path, [.O_WRONLY, .O_CREAT, .O_TRUNC], mode: 0o644)
            _ = try file.write(Array(text.utf8), at: 0)
        } catch {
            throw .cannotCreate("the drop-in cannot be written; \(error); write it yourself, or leave --unit out")
        }
        terminal.note("wrote \(path); now: systemctl daemon-reload && systemctl restart taskhost")
    }

    /// The machine has the package's service.
    private static var hasService: Bool {
        ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
            .contains { FileSystem.allows(.exists, to: $0 + "/taskhost.service") }
    }
}
