/// The folders of `FileManager.urls(for:in:)`, by the names that they have on iOS.
extension URL {
    /// Where the application keeps its documents.
    public static var documentsDirectory: URL { folder(.documentDirectory) }

    /// The folder for files that the application can recreate: the host may delete them.
    public static var cachesDirectory: URL { folder(.cachesDirectory) }

    /// Where the application keeps its own data.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

    /// The application's library folder, which has the folders of caches, preferences and application support.
    public static var libraryDirectory: URL { folder(.libraryDirectory) }

    /// The folder for applications.
    public static var applicationDirectory: URL { folder(.applicationDirectory) }

    /// The folder of the desktop.
    public static var desktopDirectory: URL { folder(.desktopDirectory) }

    /// The folder for downloads of the user.
    public static var downloadsDirectory: URL { folder(.downloadsDirectory) }

    /// The folder for films.
    public static var moviesDirectory: URL { folder(.moviesDirectory) }

    /// The folder for music.
    public static var musicDirectory: URL { folder(.musicDirectory) }

    /// The folder for pictures.
    public static var picturesDirectory: URL { folder(.picturesDirectory) }

    /// The folder that is shared with others.
    public static var sharedPublicDirectory: URL { folder(.sharedPublicDirectory) }

    /// The folder of what was thrown away.
    public static var trashDirectory: URL { folder(.trashDirectory) }

    /// The folder that has the users' homes.
    public static var userDirectory: URL {
        FileManager.default.urls(for: .userDirectory, in: .localDomainMask).first ?? URL(filePath: "/home")
    }

    private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
        // Outside of a worker Foundation's own file manager is asked, which has no library folder.
        FileManager.default.urls(for: directory, in: .userDomainMask).first ?? URL(filePath: NSHomeDirectory())
    }
}
