import Linux

/// Where a library that a manifest names may be.
enum LibraryLocator {
    /// A bare file name is searched in the manifest's folder, beside the executable, where `make install` puts plugins, and
    /// then where the loader searches; a path is used as written, relative to the manifest's folder unless absolute.
    struct Place {
        var folder: String
        var name: String
        /// The loader finds it by its name alone.
        var isSystem: Bool
    }

    private static let systemFolders: [String] = {
        #if arch(x86_64)
        let triple = "x86_64-linux-gnu"
        #elseif arch(arm64)
        let triple = "aarch64-linux-gnu"
        #else
        let triple = "linux-gnu"
        #endif
        return [
            "/lib/\(triple)", "/usr/lib/\(triple)", "/usr/local/lib", "/usr/local/lib/\(triple)", "/lib64",
            "/usr/lib64",
            "/lib", "/usr/lib",
        ]
    }()

    static func places(of library: String, manifestFolder: String) -> [Place] {
        guard !library.contains("/") else {
            let path = library.hasPrefix("/") ? library : manifestFolder + "/" + library
            let parts = path.split(separator: "/")
            return [
                Place(
                    folder: "/" + parts.dropLast().joined(separator: "/"), name: String(parts.last ?? ""),
                    isSystem: false)
            ]
        }
        let own = "/" + ThisProcess.executable.split(separator: "/").dropLast().joined(separator: "/")
        let ours = [manifestFolder, own, own + "/../lib/taskhost/plugins"]
        return ours.map { Place(folder: $0, name: library, isSystem: false) }
            + systemFolders.map { Place(folder: $0, name: library, isSystem: true) }
    }
}
