/// A finished file on its way to the delegate. Code moves it to the temporary directory under its own name, which is the folder that
/// the host puts it into: so it is delivered out of a folder of its own, under a name of its own, as on iOS.
enum DeliveredFile {
    private static let folder = "taskhost-downloads"

    /// Moves the host's file there.
    /// - Returns: its place; the host's where it cannot be moved. A process that died before it had handled the file left it there.
    static func place(_ path: String) -> URL {
        let file = URL(filePath: path)
        // No other transfer of the application has that name.
        let name = file.deletingPathExtension().lastPathComponent
        let place = file.deletingLastPathComponent().appending(path: "\(folder)/CFNetworkDownload_\(name).tmp")
        let manager = FileManager.default
        try? manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        if unsafe rename(path, place.path) == 0 { return place }
        return !manager.fileExists(atPath: path) && manager.fileExists(atPath: place.path) ? place : file
    }
}
