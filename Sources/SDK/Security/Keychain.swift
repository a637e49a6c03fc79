internal import TaskHostRuntime

/// The items of the application: a property list in its state folder, replaced as a whole at each change.
enum Keychain {
    /// Why there is no keychain.
    static let missing = "there is no keychain: " + ConnectedHost.missing

    static func items() throws(KeychainFailure) -> [KeychainItem] {
        try KeychainFile(in: folder()).items()
    }

    /// Changes the items. If `body` throws, nothing changes.
    static func change(
        _ body: (inout [KeychainItem]) throws(KeychainFailure) -> Void
    ) throws(KeychainFailure) {
        let file = try KeychainFile(in: folder())
        var items = try file.items()
        try body(&items)
        try file.replace(with: items)
    }

    private static func folder() throws(KeychainFailure) -> String {
        guard let host = ConnectedHost.current else { throw KeychainFailure(errSecNotAvailable) }
        return host.stateDirectory
    }
}
