/// What a library is linked with, and its workers' zygote has loaded.
package enum LibraryNeeds: Sendable {
    /// Libraries of the system alone.
    case system
    /// The Swift runtime.
    case swift
    /// Foundation, and so the Swift runtime.
    case foundation

    /// - Parameter names: the libraries that it names itself (DT_NEEDED).
    init(_ names: [String]) {
        if names.contains(where: { $0.hasPrefix("libFoundation") }) {
            self = .foundation
        } else {
            self = names.contains { $0.hasPrefix("libswift") } ? .swift : .system
        }
    }
}
