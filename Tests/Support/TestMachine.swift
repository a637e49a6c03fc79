import Glibc

/// What tests must know of the machine's architecture.
package enum TestMachine {
    /// As uname(1) and the tables of fixtures name it.
    package static let name: String = {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }()

    /// How a trap ends a process: an undefined instruction on x86-64, a breakpoint on aarch64.
    package static let trapSignal: Int32 = name == "aarch64" ? SIGTRAP : SIGILL
}
