internal import CTaskHost
internal import TaskHostRuntime

extension URL {
    /// Where the application keeps its documents: its state folder in a worker, else the user's folder of documents.
    public static var documentsDirectory: URL { unsafe folder(\.state_directory, .documentDirectory) }

    /// The folder for files that the application can recreate: its cache folder in a worker, else the user's.
    public static var cachesDirectory: URL { unsafe folder(\.cache_directory, .cachesDirectory) }

    /// Where the application keeps its own data: its state folder in a worker, else the user's folder for that.
    public static var applicationSupportDirectory: URL {
        unsafe folder(\.state_directory, .applicationSupportDirectory)
    }

    private static func folder(
        _ mine: KeyPath<taskhost_launch_t, taskhost_bytes_t>, _ others: FileManager.SearchPathDirectory
    ) -> URL {
        if let host = ConnectedHost.current { return unsafe URL(filePath: String(host.launch.pointee[keyPath: mine])) }
        return FileManager.default.urls(for: others, in: .userDomainMask).first ?? URL(filePath: NSHomeDirectory())
    }
}
