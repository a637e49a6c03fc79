import Foundation

/// The folders that an app on iOS finds made: those of its documents and of its application support, where Foundation of
/// Linux says they are.
enum HomeFolders {
    /// Before any code of the application.
    static func make(in home: String) {
        for name in ["Documents", ".local", ".local/share"] { _ = unsafe mkdir("\(home)/\(name)", 0o700) }
    }
}
