import Foundation

/// The folders that an app finds on iOS, at their places in Foundation on Linux. Each place has one folder: `Library` and `tmp` are
/// links where Foundation's place is another.
enum HomeFolders {
    private static let library = "Library"
    private static let documents = "Documents"
    private static let support = ".local/share"
    private static let defaults = ".config"
    /// Says that what lay in the home has its names in the folders.
    private static let mark = ".local/folders-of-ios"

    /// Before any code of the application.
    /// - Parameters:
    ///   - home: the application's state folder.
    ///   - caches: its cache folder, which temporary files share.
    static func make(in home: String, caches: String) {
        for name in [documents, defaults, ".local", support, library] { makeFolder("\(home)/\(name)") }
        link("\(home)/\(library)/Application Support", to: "../\(support)")
        link("\(home)/\(library)/Preferences", to: "../\(defaults)")
        link("\(home)/\(library)/Caches", to: caches)
        link("\(home)/tmp", to: caches)
        var facts = stat()
        guard unsafe lstat("\(home)/\(mark)", &facts) != 0 else { return }
        linkOldFiles(in: home)
        // Last: a process that dies before it leaves the rest to the next one.
        close(unsafe open("\(home)/\(mark)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }

    /// `URL.documentsDirectory` and `URL.applicationSupportDirectory` were the home itself in earlier versions. What lies
    /// there stays, and has the same name in both folders: a file a second link, a folder a symbolic one.
    private static func linkOldFiles(in home: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        for name in names where !name.hasPrefix(".") && ![documents, library, "tmp"].contains(name) {
            for folder in [documents, support] {
                let (old, new) = ("\(home)/\(name)", "\(home)/\(folder)/\(name)")
                if unsafe Foundation.link(old, new) != 0, errno != EEXIST { link(new, to: old) }
            }
        }
    }

    private static func makeFolder(_ path: String) { _ = unsafe mkdir(path, 0o700) }

    /// Nothing, where there is something already.
    private static func link(_ path: String, to target: String) { _ = unsafe symlink(target, path) }
}
