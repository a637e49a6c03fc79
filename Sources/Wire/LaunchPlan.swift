package import TaskModel

/// Everything that a worker needs to confine itself and to load its library. Descriptors accompany it in this order:
/// wire, pipes for output and errors, library (when `library` is not empty), then the cgroup descriptors that `placements` counts.
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
    package var identity: WorkerIdentity
    /// Else it has the rights of its identity.
    package var isConfined: Bool
    /// Of an unconfined one: the user's home folder.
    package var home: String
    package var stateDirectory: String
    package var cacheDirectory: String
    package var manifestDirectory: String
    /// Absolute paths to grant, variables replaced.
    package var read: [String]
    package var write: [String]
    /// Programs, and folders of programs, that it may execute, absolute, variables replaced; empty for an application without
    /// programs, which executes nothing.
    package var execute: [String]
    /// Of `read` those that may be missing, of which nothing is said.
    package var mayBeMissing: [String]
    /// Unix sockets that its programs may connect to, absolute, variables replaced.
    package var sockets: [String]
    /// Its programs may send ICMP echo requests to any address.
    package var ping: Bool
    /// Folders that applications may write, whosever; filled in by the launcher, for a broker.
    package var foreign: [String] = []
    /// Bytes of shared memory (`/dev/shm`) that its programs have for themselves, `.max` for as much as the kernel gives; 0: none.
    package var sharedMemory: UInt64
    /// The worker has made that; filled in by it, for a broker.
    package var hasOwnMemory = false
    /// The host reads what the kernel's audit log says of refusals, also of executed programs.
    package var isRecorded: Bool
    /// Whose refusals are told.
    package var explained: Explained
    /// What its programs keep of root's rights, by the kernel's numbers.
    package var capabilities: UInt64
    /// It may change modes, owners and times of its user's files.
    package var changesAttributes: Bool
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
    /// Nothing can be created in the worker, and no file can grow: a fault that the user wants to see.
    package var diskIsFull: Bool
    /// How long the worker waits before it maps any code, in nanoseconds: a fault that the user wants to see. 0: not at all.
    package var pause: UInt64
    /// SHA-256 that the library's file must have, 32 bytes; empty: the manifest pins none.
    package var librarySHA256: [UInt8]
    /// The manifest's data about the application, except its tasks; empty if there are none.
    package var information: ApplicationInformation

    package init(
        application: String, library: String, sendsLibrary: Bool, isApplication: Bool, exec: Bool,
        identity: WorkerIdentity, isConfined: Bool = true, home: String = "", stateDirectory: String,
        cacheDirectory: String, manifestDirectory: String,
        read: [String],
        write: [String], execute: [String] = [], mayBeMissing: [String] = [], sockets: [String] = [],
        ping: Bool = false, capabilities: UInt64 = 0, sharedMemory: UInt64 = 0, isRecorded: Bool = false,
        explained: Explained = .nothing,
        changesAttributes: Bool = false,
        ports: [UInt16], namesHosts: Bool = false,
        holdsAddresses: Bool = false,
        hosts: [String] = [], fileSize: UInt64,
        dataSize: UInt64, processes: UInt64, placements: UInt32,
        bestEffort: Bool, strict: Bool = false, supportedResources: UInt32 = 0, limitsProcesses: Bool = false,
        isChecked: Bool = false, diskIsFull: Bool = false, pause: UInt64 = 0, librarySHA256: [UInt8] = [],
        information: ApplicationInformation = ApplicationInformation()
    ) {
        self.application = application
        self.library = library
        self.sendsLibrary = sendsLibrary
        self.isApplication = isApplication
        self.exec = exec
        self.identity = identity
        self.isConfined = isConfined
        self.home = home
        self.stateDirectory = stateDirectory
        self.cacheDirectory = cacheDirectory
        self.manifestDirectory = manifestDirectory
        self.read = read
        self.write = write
        self.execute = execute
        self.mayBeMissing = mayBeMissing
        self.sockets = sockets
        self.ping = ping
        self.capabilities = capabilities
        self.sharedMemory = sharedMemory
        self.isRecorded = isRecorded
        self.explained = explained
        self.changesAttributes = changesAttributes
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
        self.diskIsFull = diskIsFull
        self.pause = pause
        self.librarySHA256 = librarySHA256
        self.information = information
    }
}

extension LaunchPlan {
    package var allowsAnyPort: Bool { ports.contains(0) }
    /// Its programs are confined by a broker, which makes their connections and sockets or tells of what is refused, or have
    /// capabilities: the worker itself comes from the launcher.
    package var hasBroker: Bool {
        isConfined && (!sockets.isEmpty || ping || explained == .programs || capabilities != 0)
    }
    /// The worker executes its program anew, and a process beside it is told of its calls: it comes from the launcher as well, since those of
    /// a zygote inherit a filter that nobody can look through.
    package var hasExplainer: Bool { isConfined && (explained == .library || explained == .swiftLibrary) }

    package func has(_ capability: Capability) -> Bool { capabilities & 1 << UInt64(capability.number) != 0 }

    /// Writes the body of a `launch` frame.
    package func write(to frame: inout FrameWriter) {
        frame.write(application, library, sendsLibrary, isApplication, exec, identity)
        frame.write(isConfined, home)
        frame.write(stateDirectory, cacheDirectory, manifestDirectory, read, write, execute, mayBeMissing)
        frame.write(sockets, ping)
        frame.write(foreign, capabilities, sharedMemory, hasOwnMemory, isRecorded, explained, changesAttributes)
        frame.write(ports, namesHosts, holdsAddresses, hosts, fileSize, dataSize, processes, placements)
        frame.write(bestEffort, strict, supportedResources, limitsProcesses, isChecked, librarySHA256)
        frame.write(diskIsFull, pause, information)
    }

    /// Reads the body of a `launch` frame to its end.
    package init(from frame: inout FrameReader) throws(WireError) {
        (application, library, sendsLibrary, isApplication, exec, identity) = try frame.read()
        (isConfined, home) = try frame.read()
        (stateDirectory, cacheDirectory, manifestDirectory, read, write, execute, mayBeMissing) = try frame.read()
        (sockets, ping) = try frame.read()
        (foreign, capabilities, sharedMemory, hasOwnMemory, isRecorded, explained, changesAttributes) =
            try frame.read()
        (ports, namesHosts, holdsAddresses, hosts, fileSize, dataSize, processes, placements) = try frame.read()
        (bestEffort, strict, supportedResources, limitsProcesses, isChecked, librarySHA256) = try frame.read()
        (diskIsFull, pause, information) = try frame.read()
        try frame.end()
    }
}
