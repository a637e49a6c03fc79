import Foundation

/// A file of an application whose other files, or its bridging header, import UIKit.
final class Keeper {
    private var identifier: UIBackgroundTaskIdentifier = .invalid

    func begin() {
        identifier = UIApplication.shared.beginBackgroundTask(withName: "keep") { [weak self] in self?.end() }
    }

    func end() {
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
