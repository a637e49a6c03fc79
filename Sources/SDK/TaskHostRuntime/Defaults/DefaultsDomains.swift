import Foundation
import Synchronization

/// The defaults domains of this process. In a worker they are the SDK's: Foundation on Linux writes changes only when code calls
/// `synchronize()`, and not in one piece.
package enum DefaultsDomains {
    private struct State {
        /// The folder of their files; nil: Foundation's own domains are used.
        var folder: String?
        var domains: [String: DefaultsDomain] = [:]
        /// Those of suites that every domain is searched together with.
        var suites: [DefaultsDomain] = []
        var registered: [String: Any] = [:]
    }
    private struct Guarded: @unchecked Sendable { var state = State() }  // property lists are values
    private static let guarded = Mutex(Guarded())
    /// How many changes there were, and after which of them everything was on disk.
    private static let noted = Atomic<UInt64>(0)
    private static let written = Atomic<UInt64>(0)
    private static let flushing = NSLock()
    private static let queue = DispatchQueue(label: "org.taskhost.defaults", qos: .utility)

    /// The application's own, found once: each reading of a value asks for it.
    static let main = domain(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    /// What all applications share.
    static let global = domain(UserDefaults.globalDomain)

    /// Makes the domains of this process the SDK's. Before any code of the application.
    static func install() {
        let configured = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]
        let folder = configured.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.config"
        guarded.withLock { $0.state.folder = folder }
        StoredDefaults.takeOverStandard()
        atexit { DefaultsDomains.flush() }
    }

    /// Writes the changes of all domains that have some, and returns when they are on disk or cannot be written.
    package static func flush() {
        guard noted.load(ordering: .acquiring) != written.load(ordering: .acquiring) else { return }
        flushing.withLock {
            let last = noted.load(ordering: .acquiring)
            guard last != written.load(ordering: .acquiring) else { return }
            let domains = guarded.withLock { Array($0.state.domains.values) }
            if domains.count(where: { !$0.write() }) == 0 { written.store(last, ordering: .releasing) }
        }
    }

    // MARK: For domains and UserDefaults

    static var isInstalled: Bool { guarded.withLock { $0.state.folder != nil } }

    /// - Parameter name: an application's or a suite's.
    static func domain(_ name: String) -> DefaultsDomain {
        let name = fileName(name)
        return guarded.withLock { guarded in
            if let domain = guarded.state.domains[name] { return domain }
            let domain = DefaultsDomain(DefaultsFile(folder: guarded.state.folder ?? "/", name: name))
            guarded.state.domains[name] = domain
            return domain
        }
    }

    static var suites: [DefaultsDomain] { guarded.withLock { $0.state.suites } }

    static func changeSuites(_ change: (inout [DefaultsDomain]) -> Void) {
        guarded.withLock { change(&$0.state.suites) }
    }

    static var registered: [String: Any] { guarded.withLock { $0.state.registered } }

    static func register(_ values: [String: Any]) {
        nonisolated(unsafe) let values = values
        guarded.withLock { unsafe $0.state.registered.merge(values, uniquingKeysWith: { $1 }) }
    }

    /// A domain has a change, from before this call on.
    static func noteChange() { noted.add(1, ordering: .releasing) }

    static func write(_ domain: DefaultsDomain, after delay: DispatchTimeInterval, isAgain: Bool) {
        queue.asyncAfter(deadline: .now() + delay) { domain.writeOnTime(isAgain: isAgain) }
    }

    /// As Foundation names it, without a way out of the folder.
    private static func fileName(_ domain: String) -> String {
        domain == UserDefaults.globalDomain
            ? ".GlobalPreferences.plist" : domain.replacing("/", with: "%2F") + ".plist"
    }
}
