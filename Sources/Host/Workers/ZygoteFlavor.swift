import Linux

/// Which prepared process a worker is forked from.
enum ZygoteFlavor: UInt32, CaseIterable {
    case plain = 0
    /// With Foundation loaded: eight times faster for libraries that need it, heavier for those that do not.
    case foundation = 1
    /// For programs with their user's own rights: nothing was given up before the fork.
    case unconfined = 2
    /// With the Swift runtime loaded, without Foundation.
    case swift = 3

    /// What it loads before the first fork.
    var libraries: [String] {
        switch self {
        case .plain, .unconfined: []
        case .swift: SwiftRuntime.libraries
        case .foundation: SwiftRuntime.libraries + ["libFoundation.so"]
        }
    }
}
