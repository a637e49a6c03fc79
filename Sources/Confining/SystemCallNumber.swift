import CSeccomp

/// Numbers of this machine's system calls.
package enum SystemCallNumber {
    /// nil: this machine lacks it.
    package static func of(_ name: String) -> Int32? {
        let number = unsafe seccomp_syscall_resolve_name_arch(seccomp_arch_native(), name)
        return number < 0 ? nil : number
    }
}
