import Foundation

/// The folders that an app finds on iOS, at their places in Foundation on Linux. Each place has one folder: `Library` and `tmp` are
/// links where Foundation's place is another.
enum HomeFolders {
    private static let library = "Library"
    private static let documents = "Documents"
    private static let support = ".local/share"
    private static let defaults = ".config"

    /// Before any code of the application.
    /// - Parameters:
    ///   - home: the application's state folder.
    ///   - caches: its cache folder, which temporary files share.
    static func make(in home: String, caches: String) {
        for name in [documents, defaults, ".local", support] { makeFolder("\(home)/\(name)") }
        var facts = stat()
        guard unsafe lstat("\(home)/\(library)", &facts) != 0 else { return }
        linkOldFiles(in: home)
        makeFolder("\(home)/\(library)")
        link("\(home)/\(library)/Application Support", to: "../\(support)")
        link("\(home)/\(library)/Preferences", to: "../\(defaults)")
        link("\(home)/\(library)/Caches", to: caches)
        link("\(home)/tmp", to: caches)
    }

    /// `URL.documentsDirectory` and `URL.applicationSupportDirectory` were the home itself before there was a library folder. What lies
    /// there stays, and has the same name in both folders: a file a second link, a folder a symbolic one.
    private static func linkOldFiles(in home: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        for name in names where !name.hasPrefix(".") && name != documents {
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
