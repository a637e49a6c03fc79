import CLinux
import Glibc

/// An environment in the layout of the C library, so that a forked child takes it over without allocating.
// Its list ends with nil, and lives until deinit, or for ever once it is installed; one thread.
@safe final class EnvironmentBlock {
    private let variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(_ pairs: [(String, String)]) {
        unsafe variables = .allocate(capacity: pairs.count + 1)
        for (index, (name, value)) in pairs.enumerated() {
            // Nil ends the list: without memory the worker would have fewer variables, not others.
            unsafe (variables + index).initialize(to: strdup("\(name)=\(value)"))
        }
        unsafe (variables + pairs.count).initialize(to: nil)
    }

    deinit {
        var next = unsafe variables
        while let text = unsafe next.pointee {
            unsafe free(text)
            unsafe next += 1
        }
        unsafe variables.deallocate()
    }

    /// Makes it this process's environment.
    func install() {
        // Never freed: the environment lives as long as the process.
        _ = unsafe Unmanaged.passRetained(self)
        var next = unsafe variables
        while let text = unsafe next.pointee {
            if let early = unsafe EarlyVariables.put(text) { unsafe next.pointee = unsafe early }
            unsafe next += 1
        }
        unsafe clinux_set_environment(variables)
    }
}
