import CTaskHost
import Foundation

/// `Bundle.main` as an app finds it on iOS: with the keys of its Info.plist, which the manifest has.
///
/// Foundation on Linux cannot set them. CoreFoundation, in the same library, keeps one dictionary for the main bundle and
/// reads it every time; its functions are looked up by name. If a future Foundation lacks them, only the keys are missing.
enum MainBundle {
    private typealias GetBundle = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias GetDictionary = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    private typealias SetValue = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> Void

    /// Before any code of the application: there are no readers yet.
    static func fill(from host: ConnectedHost) {
        guard let getBundle = unsafe function("CFBundleGetMainBundle", GetBundle.self),
            let getDictionary = unsafe function("CFBundleGetInfoDictionary", GetDictionary.self),
            let setValue = unsafe function("CFDictionarySetValue", SetValue.self),
            let dictionary = unsafe getBundle().flatMap({ unsafe getDictionary($0) })
        else { return }
        for (key, value) in entries(of: host) {
            // The dictionary retains both.
            let key = NSString(string: key)
            withExtendedLifetime((key, value)) {
                unsafe setValue(
                    dictionary, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
            }
        }
    }

    private static func entries(of host: ConnectedHost) -> [(String, NSObject)] {
        let information = unsafe host.information?.pointee
        func text(_ bytes: taskhost_bytes_t?, otherwise: String) -> NSString {
            guard let bytes = unsafe bytes, unsafe bytes.length > 0 else { return NSString(string: otherwise) }
            return unsafe NSString(string: String(bytes))
        }
        let identifier = host.application
        let name = unsafe text(
            information?.name, otherwise: identifier.split(separator: ".").last.map(String.init) ?? identifier)
        // The value in a new Xcode project.
        let version = unsafe text(information?.version, otherwise: "1.0")
        var entries: [(String, NSObject)] = [
            ("CFBundleIdentifier", NSString(string: identifier)), ("CFBundleName", name), ("CFBundleDisplayName", name),
            ("CFBundleShortVersionString", version), ("CFBundleVersion", version),
        ]
        if let scheduling = unsafe host.scheduling?.pointee, unsafe scheduling.permitted_count > 0 {
            let permitted = unsafe UnsafeBufferPointer(
                start: scheduling.permitted, count: Int(scheduling.permitted_count))
            unsafe entries.append(
                ("BGTaskSchedulerPermittedIdentifiers", array(permitted.map { unsafe String($0.identifier) })))
        }
        let modes = host.backgroundModes
        if !modes.isEmpty { entries.append(("UIBackgroundModes", array(modes))) }
        if let scene = host.sceneClass { entries.append(("UIApplicationSceneManifest", manifest(of: scene))) }
        return entries
    }

    /// As a new project of Xcode has it.
    private static func manifest(of sceneDelegate: String) -> NSDictionary {
        let configuration: [String: Any] = [
            "UISceneConfigurationName": "Default Configuration", "UISceneDelegateClassName": sceneDelegate,
        ]
        let configurations: [String: Any] = ["UIWindowSceneSessionRoleApplication": [configuration]]
        return NSDictionary(dictionary: [
            "UIApplicationSupportsMultipleScenes": false, "UISceneConfigurations": configurations,
        ])
    }

    private static func array(_ texts: [String]) -> NSArray { NSArray(array: texts.map { NSString(string: $0) }) }

    private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
        // Looked for in this plugin's libraries, Foundation's among them.
        unsafe dlsym(nil, name).map { unsafe unsafeBitCast($0, to: Function.self) }
    }
}
