import Linux

/// Where systemd's units are (systemd.unit(5), "Unit File Load Path"): the first folder that has a name wins.
struct UnitFolders {
    private let folders: [String]

    /// - Parameter home: nil: the units of the system; else those of the user with that home.
    init(home: String?) {
        let shared = ["/usr/local/lib/systemd", "/usr/lib/systemd", "/lib/systemd"]
        if let home {
            folders =
                ["\(home)/.config/systemd/user", "/etc/systemd/user", "/run/systemd/user"] + shared.map { $0 + "/user" }
        } else {
            folders = ["/etc/systemd/system", "/run/systemd/system"] + shared.map { $0 + "/system" }
        }
    }

    /// Those of one folder, before others.
    init(beside folder: String, _ others: UnitFolders) { folders = [folder] + others.folders }

    private static let longest = 1 << 20

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = try? Descriptor.open(path, .O_RDONLY) else { return nil }
        return try? FileSystem.read(file, limit: longest, naming: path)
    }

    private static func names(in folder: String) -> [String] { (try? FileSystem.names(in: folder))?.sorted() ?? [] }

    /// A unit with its drop-ins; nil: there is none. `name@instance.service` has the file of `name@.service`.
    func unit(_ name: String) -> UnitFile? {
        let template = Self.template(of: name)
        guard let main = [name, template].compactMap(\.self).lazy.compactMap({ file(named: $0) }).first else {
            return nil
        }
        var unit = UnitFile()
        unit.add(main)
        // A drop-in of a folder that comes first hides those of the same name.
        var dropIns: [String: [UInt8]] = [:]
        for folder in folders.reversed() {
            for owner in [template, name].compactMap(\.self) {
                let place = "\(folder)/\(owner).d"
                for file in Self.names(in: place) where file.hasSuffix(".conf") {
                    dropIns[file] = Self.bytes(of: "\(place)/\(file)")
                }
            }
        }
        for (_, bytes) in dropIns.sorted(by: { $0.key < $1.key }) { unit.add(bytes) }
        return unit
    }

    private func file(named name: String) -> [UInt8]? {
        for folder in folders {
            if let bytes = Self.bytes(of: "\(folder)/\(name)") { return bytes }
        }
        return nil
    }

    private static func template(of name: String) -> String? {
        guard let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."), at < dot else { return nil }
        return String(name[...at]) + String(name[dot...])
    }

    /// The timers that some target wants: those that `systemctl enable` has turned on.
    func enabledTimers() -> [String] {
        var names: Set<String> = []
        for folder in folders {
            for wants in Self.names(in: folder) where wants.hasSuffix(".wants") || wants.hasSuffix(".requires") {
                names.formUnion(Self.names(in: "\(folder)/\(wants)").filter { $0.hasSuffix(".timer") })
            }
        }
        return names.sorted()
    }
}
