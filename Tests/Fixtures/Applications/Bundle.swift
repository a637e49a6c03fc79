import BackgroundTasks

/// Prints what the application's Info.plist says, in the ways in which applications ask for it.
@main struct App {
    static func main() {
        let bundle = Bundle.main
        let info = bundle.infoDictionary ?? [:]
        print("identifier", bundle.bundleIdentifier ?? "none", info["CFBundleIdentifier"] as? String ?? "none")
        print("name", info["CFBundleName"] as? String ?? "none", bundle.text("CFBundleDisplayName"))
        print("version", bundle.text("CFBundleShortVersionString"), bundle.text(kCFBundleVersionKey as String))
        let permitted = bundle.object(forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers") as? [String]
        print("permitted", permitted ?? ["none"])
        print("modes", info["UIBackgroundModes"] as? [String] ?? ["none"])
        for identifier in permitted ?? [] {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                task.setTaskCompleted(success: true)
            }
        }
        fflush(nil)
    }
}

/// Spelled out: Foundation of Linux does not give the constant to Swift.
private let kCFBundleVersionKey = "CFBundleVersion"

extension Bundle {
    fileprivate func text(_ key: String) -> String { object(forInfoDictionaryKey: key) as? String ?? "none" }
}
