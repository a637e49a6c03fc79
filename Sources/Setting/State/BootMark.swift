package import Linux
package import TaskModel

/// Which boot of the machine the host of a state folder knows, for schedules that have one time a boot.
package struct BootMark {
    /// A host that is started for the first time so soon after the machine was started with it.
    private static let fresh = TimeSpan.minutes(10)
    private static let fileName = "boot"

    private let path: String
    private let boot: String
    /// The machine was started since a host of this folder marked it last.
    package let isNew: Bool

    /// - Parameters:
    ///   - boot: the id of the present boot; a kernel without one has one boot for ever.
    ///   - age: how long ago it was.
    package init(
        stateFolder: String, boot: String = Self.id, age: TimeSpan = TimeSpan(nanoseconds: Int64(Clock.sinceBoot()))
    ) {
        path = stateFolder + "/" + Self.fileName
        self.boot = boot
        guard let known = try? FileText.read(path, limit: 4096) else {
            isNew = age < Self.fresh
            return
        }
        isNew = known.split(separator: "\n").first.map(String.init) != boot
    }

    /// Of the running kernel (random(4)).
    package static var id: String {
        ((try? FileText.read("/proc/sys/kernel/random/boot_id")) ?? "").filter { !$0.isWhitespace }
    }

    /// What is due at this boot is on disk: no later host of the folder takes it for new.
    package func settle() throws(SystemError) {
        let file = try Descriptor.open(path, [.O_WRONLY, .O_CREAT, .O_TRUNC, .O_NOFOLLOW, .O_NONBLOCK], mode: 0o600)
        try FileSystem.write(Array((boot + "\n").utf8), to: file, naming: path)
    }
}
