import Linux

/// The user's browser, by what opens links on their desktop.
enum Browser {
    private static let opener = "xdg-open"

    /// Opens a link; nil: there is no desktop, or nothing that opens links.
    static func open(_ link: String) throws(SystemError) -> ChildProcess? {
        guard hasDisplay, let path = path(of: opener) else { return nil }
        // What a browser prints is not of the verb, and it may live on for long.
        let nowhere = try Descriptor.open("/dev/null", .O_RDWR)
        return try ChildProcess(
            path, [opener, link], environment: ThisProcess.environment,
            descriptors: [nowhere.number, nowhere.number, nowhere.number], from: 0)
    }

    private static var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(ThisProcess.variable($0) ?? "").isEmpty }
    }

    /// Where a shell would find it. A relative folder in PATH is somebody's present folder, and passed over.
    private static func path(of program: String) -> String? {
        let folders = (ThisProcess.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }.first { path in
            guard let facts = try? FileSystem.followedFacts(of: path) else { return false }
            return facts.isFile && facts.mode & 0o111 != 0
        }
    }
}
