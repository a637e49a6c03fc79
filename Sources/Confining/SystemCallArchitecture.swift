import CSeccomp

/// A processor architecture with the numbers of its system calls, as libseccomp knows them.
package struct SystemCallArchitecture: Hashable, Sendable {
    /// What a filter finds in `seccomp_data.arch` (AUDIT_ARCH_X86_64 and the like, linux/audit.h).
    package let token: UInt32

    private init(token: UInt32) { self.token = token }

    package static let x86_64 = SystemCallArchitecture(token: 0xc000_003e)
    package static let aarch64 = SystemCallArchitecture(token: 0xc000_00b7)
    /// That of this process.
    package static let native = SystemCallArchitecture(token: seccomp_arch_native())

    /// nil: it has no such call, or this libseccomp does not know the name.
    package func number(of call: String) -> Int32? {
        let number = unsafe seccomp_syscall_resolve_name_arch(token, call)
        return number < 0 ? nil : number
    }
}
