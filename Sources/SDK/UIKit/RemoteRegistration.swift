internal import TaskHostRuntime

/// Whether the application has registered for remote notifications: an empty file in its state folder. Outside of a worker
/// it is never registered.
enum RemoteRegistration {
    private static let file = ConnectedHost.current.map { host in
        URL(filePath: host.stateDirectory).appending(path: ".taskhost-remote-notifications")
    }

    static var isValid: Bool { file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false }

    /// The delegate is called on the main thread, later.
    static func begin() {
        let error = refusal ?? (isValid ? nil : keep())
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                let application = UIApplication.shared
                if let error {
                    application.delegate?.application(
                        application, didFailToRegisterForRemoteNotificationsWithError: error)
                } else {
                    application.delegate?.application(
                        application, didRegisterForRemoteNotificationsWithDeviceToken: token)
                }
            }
        }
    }

    static func end() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private static func keep() -> NSError? {
        guard let file else { return nil }
        do {
            try Data().write(to: file)
            return nil
        } catch { return error as NSError }
    }

    /// 32 bytes, the same in every process of the application on every machine: its identifier, hashed (FNV-1a, 64 bits)
    /// once for each eight of them.
    private static var token: Data {
        let identifier = ConnectedHost.current?.application ?? ""
        var bytes = Data()
        for part: UInt8 in 0..<4 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in [part] + Array(identifier.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            unsafe withUnsafeBytes(of: hash.bigEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// As on iOS: the entitlement is missing (3000), or there is nothing to register with (3010).
    private static var refusal: NSError? {
        guard let host = ConnectedHost.current else { return error(3010, ConnectedHost.missing) }
        guard !host.backgroundModes.contains("remote-notification") else { return nil }
        return error(
            3000, "the manifest lacks the background mode; write \"remote-notification\" in its backgroundModes")
    }

    private static func error(_ code: Int, _ sentence: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: code,
            userInfo: [NSLocalizedDescriptionKey: sentence, NSLocalizedFailureReasonErrorKey: sentence])
    }
}
