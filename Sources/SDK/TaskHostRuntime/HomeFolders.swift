import Foundation

/// The folders that exist for an app on iOS: documents and application support, at their places in Foundation on Linux.
enum HomeFolders {
    /// Before any code of the application.
    static func make(in home: String) {
        for name in ["Documents", ".local", ".local/share"] { _ = unsafe mkdir("\(home)/\(name)", 0o700) }
    }
}
