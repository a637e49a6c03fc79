import CLinux
import Glibc

/// An environment laid out as the C library wants it, so that a forked child takes it over without allocating.
final class EnvironmentBlock {
    private let variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(_ pairs: [(String, String)]) {
        variables = .allocate(capacity: pairs.count + 1)
        for (index, (name, value)) in pairs.enumerated() {
            // Nil ends the list: without memory the worker would have fewer variables, not others.
            (variables + index).initialize(to: strdup("\(name)=\(value)"))
        }
        (variables + pairs.count).initialize(to: nil)
    }

    deinit {
        var next = variables
        while let text = next.pointee {
            free(text)
            next += 1
        }
        variables.deallocate()
    }

    /// Makes it this process's environment.
    func install() {
        // Never freed: the environment lives as long as the process.
        _ = Unmanaged.passRetained(self)
        var next = variables
        while let text = next.pointee {
            if let early = EarlyVariables.put(text) { next.pointee = early }
            next += 1
        }
        clinux_set_environment(variables)
    }
}
