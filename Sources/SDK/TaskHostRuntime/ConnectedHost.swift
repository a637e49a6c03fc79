import CApplication
import CTaskHost
import Synchronization

/// The worker that this process is, as the plugin's library sees it: the services of taskhost.h and its extensions.
// Tables that are valid, and never change, until the process ends.
@safe package struct ConnectedHost: @unchecked Sendable {
    /// What launch() got.
    package let launch: UnsafePointer<taskhost_launch_t>
    /// The services of every run.
    package let services: UnsafePointer<taskhost_host_t>
    /// Task requests; nil when this host keeps none.
    package let scheduling: UnsafePointer<taskhost_scheduling_t>?
    /// Application state and background time; nil when this host has neither.
    package let lifecycle: UnsafePointer<taskhost_lifecycle_t>?
    /// The manifest's data; nil when this host does not provide them.
    package let information: UnsafePointer<taskhost_information_t>?

    /// Notifications for the user; nil when this host does not record them.
    package let notifications: UnsafePointer<taskhost_notifications_t>?

    /// Background transfers; nil when this host makes none.
    package let transfers: UnsafePointer<taskhost_transfer_t>?

    private static let stored = Mutex<ConnectedHost?>(nil)

    /// The worker; nil in any other process, such as a unit test or a program of its own.
    package static var current: ConnectedHost? { stored.withLock { $0 } }

    /// The message when a worker is needed and there is none.
    package static let missing =
        "this process is not a worker of taskhost; build the code as a plugin and run it with `taskhost run IDENTIFIER`"
        + " or `taskhost serve`"

    static func connect(_ launch: UnsafePointer<taskhost_launch_t>) -> ConnectedHost {
        let services = unsafe launch.pointee.host
        func table<Table>(_ name: String, _ type: Table.Type, first size: Int) -> UnsafePointer<Table>? {
            unsafe services.pointee.get_extension(name).flatMap {
                unsafe ExtensionTable.read($0, as: type, first: size)
            }
        }
        let host = unsafe ConnectedHost(
            launch: launch, services: services,
            scheduling: table(TASKHOST_SCHEDULING_EXTENSION, taskhost_scheduling_t.self, first: 88),
            lifecycle: table(TASKHOST_LIFECYCLE_EXTENSION, taskhost_lifecycle_t.self, first: 48),
            information: table(TASKHOST_INFORMATION_EXTENSION, taskhost_information_t.self, first: 64),
            notifications: table(TASKHOST_NOTIFICATIONS_EXTENSION, taskhost_notifications_t.self, first: 16),
            transfers: table(TASKHOST_TRANSFER_EXTENSION, taskhost_transfer_t.self, first: 128))
        stored.withLock { $0 = host }
        return host
    }

    static func disconnect() { stored.withLock { $0 = nil } }

    /// Whether misuse ends the process, as on iOS, or is reported and survived.
    package var isStrict: Bool {
        guard let scheduling = unsafe scheduling else { return true }
        return unsafe scheduling.pointee.flags & TASKHOST_SCHEDULING_STRICT != 0
    }

    /// The class of its scene delegate with its module, as the manifest names it; nil when it names none.
    package var sceneClass: String? {
        guard let scene = unsafe information?.pointee.scene, unsafe scene.length > 0 else { return nil }
        return unsafe String(scene)
    }

    /// The iOS SDK whose rules hold, by the manifest's `sdk`: 26 under hosts without it.
    package var sdk: Int {
        guard let information = unsafe information, unsafe information.pointee.sdk > 0 else { return 26 }
        return unsafe Int(information.pointee.sdk)
    }

    /// Calls `changed` with the machine's network, soon and after each change, on a thread of the worker. The first call of the
    /// process counts.
    /// - Returns: false under a host that does not tell.
    package func watchNetwork(_ changed: @escaping @convention(c) (UInt32) -> Void) -> Bool {
        guard let watch = unsafe lifecycle?.pointee.watch_network else { return false }
        return watch(changed) == TASKHOST_OK
    }

    /// Calls `continues` after each suspension of the process, on a thread of the worker. The first call of the process counts.
    /// Does nothing under a host that does not tell.
    package func watchSuspension(_ continues: @escaping @convention(c) () -> Void) {
        _ = unsafe lifecycle?.pointee.watch_suspension?(continues)
    }

    /// The words of the manifest's `backgroundModes`.
    package var backgroundModes: [String] {
        guard let information = unsafe information?.pointee else { return [] }
        let modes = unsafe UnsafeBufferPointer(
            start: information.background_modes, count: Int(information.background_mode_count))
        return unsafe modes.map { unsafe String($0) }
    }

    /// Requests fetches at least this many seconds apart; the largest double: none.
    /// - Returns: false under a host without fetches, and for a negative number and NaN.
    package func setMinimumFetchInterval(_ seconds: Double) -> Bool {
        guard let set = unsafe lifecycle?.pointee.set_minimum_fetch_interval else { return false }
        return set(seconds) == TASKHOST_OK
    }

    /// The application's identifier.
    package var application: String { unsafe String(launch.pointee.application) }

    /// The path of its state folder.
    package var stateDirectory: String { unsafe String(launch.pointee.state_directory) }

    /// The path of its cache folder.
    var cacheDirectory: String { unsafe String(launch.pointee.cache_directory) }
}

extension String {
    /// A copy of bytes that the host lends.
    package init(_ bytes: taskhost_bytes_t) {
        unsafe self.init(
            decoding: UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.bytes == nil ? 0 : Int(bytes.length)),
            as: UTF8.self)
    }

    /// Lends the text to a C function for the duration of the call.
    package func withTaskHostBytes<Result>(_ body: (taskhost_bytes_t) -> Result) -> Result {
        unsafe withCString { unsafe body(taskhost_bytes_t(bytes: $0, length: UInt64(utf8.count))) }
    }
}
