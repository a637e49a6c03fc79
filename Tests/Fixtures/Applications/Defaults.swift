import BackgroundTasks
import Foundation

/// Keeps values in its defaults as applications do, and never calls `synchronize()` but where that is what it tries.
@main
struct Defaults {
    static var defaults: UserDefaults { .standard }
    static let file = NSHomeDirectory() + "/Library/Preferences/com.ex.app.plist"

    static func main() {
        for (name, body) in tasks {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.\(name)", using: nil) { task in
                body()
                task.setTaskCompleted(success: true)
            }
        }
    }

    static let tasks: [(String, @Sendable () -> Void)] = [
        ("count", { count() }), ("killed", { killed() }), ("exits", { exits() }), ("others", { others() }),
        ("values", { values() }), ("again", { again() }), ("unstorable", { unstorable() }), ("full", { full() }),
    ]

    static func count() {
        let count = defaults.integer(forKey: "count")
        defaults.set(count + 1, forKey: "count")
        print("count \(count)")
    }

    /// What is on disk, as any other program reads it.
    static var stored: [String: Any] {
        let bytes = (try? Data(contentsOf: URL(filePath: file))) ?? Data()
        return (try? PropertyListSerialization.propertyList(from: bytes, format: nil)) as? [String: Any] ?? [:]
    }

    /// Dies as soon as its change is on disk.
    static func killed() {
        let count = defaults.integer(forKey: "count")
        defaults.set(count + 1, forKey: "count")
        while stored["count"] as? Int != count + 1 { usleep(10_000) }
        kill(getpid(), SIGKILL)
    }

    /// Ends its process a moment after its change.
    static func exits() {
        count()
        exit(0)
    }

    /// Another process of the application writes between two looks.
    static func others() {
        defaults.set(1, forKey: "mine")
        let isWritten = defaults.synchronize()
        var values = stored
        values["theirs"] = 7
        let bytes = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        try? bytes?.write(to: URL(filePath: file))
        defaults.set(2, forKey: "mine")
        print("written \(isWritten), before \(defaults.object(forKey: "theirs") ?? "nothing")")
        defaults.synchronize()
        print("after \(defaults.integer(forKey: "theirs"))")
    }

    static func values() {
        defaults.register(defaults: ["registered": "first", "shadowed": "registered"])
        nonisolated(unsafe) var changes = 0  // this thread alone
        let observer = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: defaults, queue: nil
        ) { _ in changes += 1 }
        defaults.set("a\0b\u{1}&<é", forKey: "text")
        defaults.set(Data(count: 1 << 20), forKey: "megabyte")
        defaults.set(
            ["list": [1, 2.5, true, "x"], "date": Date(timeIntervalSince1970: 1)] as [String: Any], forKey: "nested")
        defaults.set(true, forKey: "flag")
        defaults.set(Float(1.5), forKey: "float")
        defaults.set(URL(filePath: "/tmp/x"), forKey: "place")
        defaults.set(URL(string: "https://example.com/v1?a=b"), forKey: "address")
        defaults.set("stored", forKey: "shadowed")
        defaults.set(1, forKey: "removed")
        defaults.removeObject(forKey: "removed")
        NotificationCenter.default.removeObserver(observer)
        let suite = UserDefaults(suiteName: "group.com.ex")
        suite?.set("shared", forKey: "key")
        defaults.addSuite(named: "group.com.ex")
        print("changes \(changes), suite \(defaults.string(forKey: "key") ?? "-"), same \(UserDefaults() != suite)")
        show()
    }

    static func again() {
        print("suite \(UserDefaults(suiteName: "group.com.ex")?.string(forKey: "key") ?? "-")")
        show()
    }

    static func show() {
        let nested = defaults.dictionary(forKey: "nested")
        let list = nested?["list"] as? [Any]
        print(
            "text \(defaults.string(forKey: "text") == "a\0b\u{1}&<é"), bytes \(defaults.data(forKey: "megabyte")?.count ?? 0), "
                + "list \(list?.count ?? 0) \(list?[0] as? Int ?? 0) \(list?[1] as? Double ?? 0) \(list?[2] as? Bool ?? false), "
                + "date \((nested?["date"] as? Date)?.timeIntervalSince1970 ?? 0), flag \(defaults.bool(forKey: "flag")), "
                + "float \(defaults.float(forKey: "float")), place \(defaults.url(forKey: "place")?.path ?? "-"), "
                + "address \(defaults.url(forKey: "address")?.absoluteString ?? "-"), "
                + "shadowed \(defaults.string(forKey: "shadowed") ?? "-"), removed \(defaults.object(forKey: "removed") == nil), "
                + "keys \(defaults.dictionaryRepresentation().keys.filter { $0 == "removed" || $0 == "flag" })")
    }

    static func unstorable() {
        defaults.set(["id": UUID()], forKey: "unstorable")
        print("unstorable \(defaults.object(forKey: "unstorable") == nil)")
    }

    /// No file can grow beyond a few bytes.
    static func full() {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let whole = limit.rlim_cur
        limit.rlim_cur = 16
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        defaults.set(String(repeating: "x", count: 100), forKey: "late")
        let (failed, before) = (!defaults.synchronize(), stored)
        limit.rlim_cur = whole
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        print(
            "failed \(failed), count \(before["count"] as? Int ?? -1), late \(before["late"] == nil), then \(defaults.synchronize())"
        )
    }
}
