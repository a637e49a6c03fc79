package import Confining
import Linux

/// What all workers of a process have in common, prepared once before the first fork: state that a fork inherits, and the
/// compiled system call filters.
///
/// Creating it changes the calling process permanently: signals, capabilities, limits, no_new_privs and a first system call
/// filter. The process can still do what workers may (`SystemCallPolicy`), fork, reap, signal, pass descriptors, and start
/// new workers by exec, which keep the rights to change their user and prepare themselves again.
///
/// *Thread*: for a process with one thread.
package struct ConfinementTemplate: ~Copyable, Sendable {
    /// Version of Landlock's interface; 0 when it is missing.
    package let landlockABI: Int32
    /// The process is root, so every worker becomes another user.
    package let isRoot: Bool
    let system: SystemGrants
    /// Of a worker without any grant.
    let policy: SystemCallPolicy
    private let quiet: FilterProgram
    private let networked: FilterProgram
    let null: Descriptor
    private var process: Int32
    private let parentAtStart: Int32

    /// Prepares the process. It should have been started with a clean environment: CoreFoundation reads some variables when
    /// it is loaded and never again.
    ///
    /// - Parameters:
    ///   - newestLandlock: pretend that the kernel's Landlock is no newer, to test the behavior on an older kernel.
    ///   - coreSize: `RLIMIT_CORE` of workers.
    /// - Throws: `.signals`, `.privileges`, `.limits`, `.descriptors`, `.filterProgram`, `.filter`.
    package init(newestLandlock: Int32 = .max, coreSize: UInt64 = 0) throws(ConfinementError) {
        let isRoot = ThisProcess.isRoot
        let abi = min(Landlock.version, newestLandlock)
        try ConfinementError.at(.signals, Sandbox.resetSignals)
        if isRoot { try ConfinementError.at(.privileges, Sandbox.lockCapabilities) }
        try ConfinementError.at(.privileges, Sandbox.forbidNewPrivileges)
        // No process of the same user may trace this one or read its memory, regardless of the kernel's settings.
        try ConfinementError.at(.privileges, Sandbox.makeUndumpable)
        try ConfinementLimits.setInherited(coreSize: coreSize)
        var policy = Self.policy(isRoot: isRoot, landlockABI: abi)
        let base = try FilterProgram(policy.base)
        let quiet = try FilterProgram(policy.addition)
        let common = policy
        policy.network = true
        let networked = try FilterProgram(policy.addition)
        let null = try ConfinementError.at(.descriptors) { () throws(SystemError) in
            try Descriptor.open("/dev/null", .O_RDWR)
        }

        try base.install()

        self.isRoot = isRoot
        self.policy = common
        landlockABI = abi
        system = SystemGrants(runtime: SwiftRuntime.ofThisProcess ?? SwiftRuntime.told)
        self.quiet = quiet
        self.networked = networked
        self.null = null
        process = ThisProcess.pid
        parentAtStart = ThisProcess.parent
    }

    /// Of a worker without any grant.
    static func policy(isRoot: Bool, landlockABI abi: Int32) -> SystemCallPolicy {
        SystemCallPolicy(
            network: false, ownUser: isRoot, pinsSignals: !isRoot && !LandlockRight.signal.isKnown(to: abi),
            landlockGuardsTruncation: LandlockRight.truncate.isKnown(to: abi))
    }

    /// The filter that a worker of a common policy adds.
    func filter(network: Bool) -> FilterProgram { network ? networked : quiet }

    /// Whether a filter for the policy was prepared: only its network may differ.
    func serves(_ policy: SystemCallPolicy) -> Bool {
        var common = self.policy
        common.network = policy.network
        return policy == common
    }

    /// The filter that a worker of another policy adds to the first one.
    func filter(_ policy: SystemCallPolicy) throws(ConfinementError) -> FilterProgram {
        try FilterProgram(policy.addition(to: self.policy))
    }

    /// A descriptor of `/dev/null`.
    var nullDescriptor: Int32 { null.number }

    /// The calling process, a fork of the one that it was made in, is the parent of workers from now on.
    mutating func moveHere() { process = ThisProcess.pid }

    /// The caller's parent, if it is alive: the process that created the template, or that process's own parent when
    /// the caller created it itself (a new process).
    var expectedParent: Int32 { ThisProcess.pid == process ? parentAtStart : process }
}
