import Linux
import Manifests

/// A program by the name that a shell would take for it.
enum ProgramSearch {
    /// Names of a folder that are compared with a misspelt one.
    private static let mostNames = 8192

    /// The path of the program: absolute, or the name itself if there is none.
    static func path(of name: String) -> String {
        if name.contains("/") { return name.hasPrefix("/") ? name : (FileSystem.realPath(".") ?? ".") + "/" + name }
        return folders.lazy.map { $0 + "/" + name }.first(where: isProgram) ?? name
    }

    /// A program whose name is much like it.
    static func nearest(to name: String) -> String? {
        guard !name.contains("/") else { return nil }
        let names = folders.flatMap { folder in
            ((try? FileSystem.names(in: folder)) ?? []).prefix(mostNames).filter { isProgram(folder + "/" + $0) }
        }
        return Nearest.match(for: name, among: names)
    }

    private static var folders: [String] {
        (ThisProcess.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").map(String.init).filter {
            $0.hasPrefix("/")
        }
    }

    private static func isProgram(_ path: String) -> Bool {
        (try? FileSystem.followedFacts(of: path))?.isFile == true && FileSystem.allows(.execute, to: path)
    }
}
