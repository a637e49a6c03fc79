import Foundation

/// A file manager that knows every folder that iOS has. Foundation on Linux knows those of the XDG Base Directory
/// Specification, and has no library folder. It adds no stored property: the default object, which Foundation makes, becomes one.
final class HomeFileManager: FileManager, @unchecked Sendable {
    /// Makes the object that `FileManager.default` returns, in every module, one of this class.
    static func takeOverDefault() {
        ObjectClass.set(HomeFileManager.self, of: FileManager.default)
    }

    override func urls(for directory: SearchPathDirectory, in domains: SearchPathDomainMask) -> [URL] {
        let known = super.urls(for: directory, in: domains)
        guard known.isEmpty, domains.contains(.userDomainMask), let place = Self.place(of: directory) else {
            return known
        }
        return [
            URL(filePath: NSHomeDirectory(), directoryHint: .isDirectory).appending(
                path: place, directoryHint: .isDirectory)
        ]
    }

    /// In the home, as Apple's NSPathUtilities.h names them; nil: iOS has none, or Foundation on Linux knows it.
    private static func place(of directory: SearchPathDirectory) -> String? {
        switch directory {
        case .applicationDirectory: "Applications"
        case .libraryDirectory: "Library"
        case .documentationDirectory: "Library/Documentation"
        case .inputMethodsDirectory: "Library/Input Methods"
        case .preferencePanesDirectory: "Library/PreferencePanes"
        default: nil
        }
    }
}

extension FileManager {
    /// What `FileManager()` calls: in place of Foundation's function of this name, for all modules of the plugin.
    @_silgen_name("$s20FoundationEssentials11FileManagerCACycfC")
    static func taskhostMake() -> FileManager { HomeFileManager() }
}

/// The class of an object. An object begins with its class, by the ABI of Swift.
enum ObjectClass {
    /// Makes an object one of a subclass that adds no stored property: methods of the subclass are called from then on.
    static func set(_ subclass: AnyClass, of object: AnyObject) {
        unsafe UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque())
            .storeBytes(of: unsafeBitCast(subclass, to: UInt.self), as: UInt.self)
    }
}
