/// Everything that a worker needs to confine itself and to load its library. Descriptors accompany it in this order:
/// wire, log pipe, library (when `library` is not empty), then the cgroup descriptors that `placements` counts.
package struct LaunchPlan: Sendable, Equatable {
    package var application: String
    /// Path of the application's library, for dlopen by path where it can be reached; empty for none.
    package var library: String
    /// The library's descriptor is sent along.
    package var sendsLibrary: Bool
    /// The application exports `taskhost_application_v1` and is launched by it.
    package var isApplication: Bool
    /// A fresh process instead of a fork.
    package var exec: Bool
    /// Unprivileged user and group; 0 when the host is not root.
    package var user: UInt32
    package var group: UInt32
    package var stateDirectory: String
    package var cacheDirectory: String
    package var manifestDirectory: String
    /// Absolute paths to grant, variables replaced.
    package var read: [String]
    package var write: [String]
    /// TCP ports it may connect to, 0 for every port; empty: no network at all.
    package var ports: [UInt16]
    /// A grant names a host: enforcing ports alone allows more than it says.
    package var namesHosts: Bool
    /// BPF programs of its control group enforce addresses: the worker tests and reports that.
    package var holdsAddresses: Bool
    /// Granted names and their addresses: `name address address`.
    package var hosts: [String]
    /// `RLIMIT_FSIZE` in bytes.
    package var fileSize: UInt64
    /// `RLIMIT_DATA` in bytes beyond what the fresh process has; 0 for none. Set where no cgroup limits memory.
    package var dataSize: UInt64
    /// `RLIMIT_NPROC`; 0 for none. Only sensible when the user is the application's own.
    package var processes: UInt64
    /// Bit 0: first cgroup descriptor is a cgroup-2 folder for CLONE_INTO_CGROUP. Bits 8…: how many `cgroup.procs`
    /// descriptors of version-1 hierarchies follow, to be written by the child.
    package var placements: UInt32
    /// Continue when Landlock is missing (`"enforcement": "bestEffort"`).
    package var bestEffort: Bool
    /// Misuse of the scheduling services ends the process (`"misuse": "strict"`).
    package var strict: Bool
    /// `BGTaskScheduler.supportedResources`, as its raw value.
    package var supportedResources: UInt32
    /// A control group limits the number of the worker's processes.
    package var limitsProcesses: Bool
    /// Its handlers are checked: completions are marked in the output, and changes to the process are reported.
    package var isChecked: Bool
    /// SHA-256 that the library's file must have, 32 bytes; empty: the manifest pins none.
    package var librarySHA256: [UInt8]
    /// The manifest's data about the application, except its tasks; empty if there are none.
    package var information: ApplicationInformation

    package init(
        application: String, library: String, sendsLibrary: Bool, isApplication: Bool, exec: Bool, user: UInt32,
        group: UInt32, stateDirectory: String, cacheDirectory: String, manifestDirectory: String, read: [String],
        write: [String], ports: [UInt16], namesHosts: Bool = false, holdsAddresses: Bool = false,
        hosts: [String] = [], fileSize: UInt64,
        dataSize: UInt64, processes: UInt64, placements: UInt32,
        bestEffort: Bool, strict: Bool = false, supportedResources: UInt32 = 0, limitsProcesses: Bool = false,
        isChecked: Bool = false, librarySHA256: [UInt8] = [],
        information: ApplicationInformation = ApplicationInformation()
    ) {
        self.application = application
        self.library = library
        self.sendsLibrary = sendsLibrary
        self.isApplication = isApplication
        self.exec = exec
        self.user = user
        self.group = group
        self.stateDirectory = stateDirectory
        self.cacheDirectory = cacheDirectory
        self.manifestDirectory = manifestDirectory
        self.read = read
        self.write = write
        self.ports = ports
        self.namesHosts = namesHosts
        self.holdsAddresses = holdsAddresses
        self.hosts = hosts
        self.fileSize = fileSize
        self.dataSize = dataSize
        self.processes = processes
        self.placements = placements
        self.bestEffort = bestEffort
        self.strict = strict
        self.supportedResources = supportedResources
        self.limitsProcesses = limitsProcesses
        self.isChecked = isChecked
        self.librarySHA256 = librarySHA256
        self.information = information
    }
}

extension LaunchPlan {
    package var allowsAnyPort: Bool { ports.contains(0) }

    /// Writes the body of a `launch` frame.
    package func write(to frame: inout FrameWriter) {
        frame.text(application)
        frame.text(library)
        frame.flag(sendsLibrary)
        frame.flag(isApplication)
        frame.flag(exec)
        frame.integer(user)
        frame.integer(group)
        frame.text(stateDirectory)
        frame.text(cacheDirectory)
        frame.text(manifestDirectory)
        frame.list(read) { $0.text($1) }
        frame.list(write) { $0.text($1) }
        frame.list(ports) { $0.integer($1) }
        frame.flag(namesHosts)
        frame.flag(holdsAddresses)
        frame.list(hosts) { $0.text($1) }
        frame.integer(fileSize)
        frame.integer(dataSize)
        frame.integer(processes)
        frame.integer(placements)
        frame.flag(bestEffort)
        frame.flag(strict)
        frame.integer(supportedResources)
        frame.flag(limitsProcesses)
        frame.flag(isChecked)
        frame.list(librarySHA256) { $0.integer($1) }
        frame.text(information.name)
        frame.text(information.version)
        frame.list(information.backgroundModes) { $0.text($1) }
        frame.integer(information.memory)
        frame.text(information.scene)
    }

    /// Reads the body of a `launch` frame to its end.
    package init(from frame: inout FrameReader) throws(WireError) {
        application = try frame.text()
        library = try frame.text()
        sendsLibrary = try frame.flag()
        isApplication = try frame.flag()
        exec = try frame.flag()
        user = try frame.integer()
        group = try frame.integer()
        stateDirectory = try frame.text()
        cacheDirectory = try frame.text()
        manifestDirectory = try frame.text()
        read = try frame.list { (r: inout FrameReader) throws(WireError) in try r.text() }
        write = try frame.list { (r: inout FrameReader) throws(WireError) in try r.text() }
        ports = try frame.list { (r: inout FrameReader) throws(WireError) in try r.integer() }
        namesHosts = try frame.flag()
        holdsAddresses = try frame.flag()
        hosts = try frame.list { (r: inout FrameReader) throws(WireError) in try r.text() }
        fileSize = try frame.integer()
        dataSize = try frame.integer()
        processes = try frame.integer()
        placements = try frame.integer()
        bestEffort = try frame.flag()
        strict = try frame.flag()
        supportedResources = try frame.integer()
        limitsProcesses = try frame.flag()
        isChecked = try frame.flag()
        librarySHA256 = try frame.list { (r: inout FrameReader) throws(WireError) in try r.integer() }
        let (name, version) = (try frame.text(), try frame.text())
        information = ApplicationInformation(
            name: name, version: version,
            backgroundModes: try frame.list { (r: inout FrameReader) throws(WireError) in try r.text() },
            memory: try frame.integer(), scene: try frame.text())
        try frame.end()
    }
}
