internal import Synchronization

/// The windows that belong to a scene or are shown, oldest first.
enum WindowList {
    private struct Entry: Sendable {
        weak var window: UIWindow?
        weak var scene: UIWindowScene?
        var isShown = false
        /// Grows with each that is made key; 0: never was.
        var key = 0
    }
    private static let entries = Mutex<[Entry]>([])

    static func place(_ window: UIWindow, in scene: UIWindowScene?) { change(window) { $0.scene = scene } }

    static func show(_ window: UIWindow, _ isShown: Bool) { change(window) { $0.isShown = isShown } }

    static func makeKey(_ window: UIWindow) {
        entries.withLock { entries in
            let last = entries.map(\.key).max() ?? 0
            change(window, in: &entries) { $0.key = last + 1 }
        }
    }

    /// Those that are shown.
    static var shown: [UIWindow] { entries.withLock { $0.filter(\.isShown).compactMap(\.window) } }

    static func windows(of scene: UIWindowScene) -> [UIWindow] {
        entries.withLock { $0.filter { $0.scene === scene }.compactMap(\.window) }
    }

    static func keyWindow(of scene: UIWindowScene) -> UIWindow? {
        entries.withLock { $0.filter { $0.scene === scene && $0.key > 0 }.max { $0.key < $1.key }?.window }
    }

    static func isKey(_ window: UIWindow) -> Bool {
        entries.withLock { entries in
            entries.filter { $0.window != nil && $0.key > 0 }.max { $0.key < $1.key }?.window === window
        }
    }

    private static func change(_ window: UIWindow, _ body: (inout Entry) -> Void) {
        entries.withLock { change(window, in: &$0, body) }
    }

    private static func change(_ window: UIWindow, in entries: inout [Entry], _ body: (inout Entry) -> Void) {
        entries.removeAll { $0.window == nil }
        if let place = entries.firstIndex(where: { $0.window === window }) { return body(&entries[place]) }
        var entry = Entry(window: window)
        body(&entry)
        guard entry.isShown || entry.scene != nil || entry.key > 0 else { return }
        entries.append(entry)
    }
}
