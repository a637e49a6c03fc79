import Confining
import Linux
import Wire

/// Workers of applications with `"confinement": "none"`, whose programs may do all that their user may, set-user-ID programs included, of
/// those whose programs a broker confines, and of those whose own calls are told. So neither no_new_privs nor a filter nor a lack of
/// capabilities may be inherited from here: nothing is given up before the fork.
struct UnconfinedNursery: Nursery, ~Copyable {
    private let nullFile: Descriptor
    private let system = SystemGrants(runtime: SwiftRuntime.told)
    private var process = ThisProcess.pid
    /// Folders that some application may write, as they are named and as they really are.
    private var writable: Set<String> = []

    init() throws(ConfinementError) {
        try ConfinementError.at(.signals, Sandbox.resetSignals)
        // What it is forked from is no business of the programs.
        try ConfinementError.at(.privileges, Sandbox.makeUndumpable)
        nullFile = try ConfinementError.at(.descriptors) { () throws(SystemError) in
            try Descriptor.open("/dev/null", .O_RDWR)
        }
    }

    var null: Int32 { nullFile.number }

    mutating func learn(writable paths: [String]) {
        writable.formUnion(paths)
        writable.formUnion(GrantResolver(foreign: writable).realPlaces(of: paths))
    }

    func prepare(_ plan: LaunchPlan, library: Int32) throws(ConfinementError) -> UnconfinedBirth {
        guard plan.hasExplainer || (!plan.isConfined || plan.hasBroker) && library < 0 && !plan.exec else {
            throw ConfinementError(.privileges, code: Errno.EINVAL.rawValue, object: plan.application)
        }
        var plan = plan
        if plan.hasBroker || plan.hasExplainer { plan.foreign = writable.sorted() }
        return try UnconfinedBirth(plan, system)
    }

    mutating func moveHere() { process = ThisProcess.pid }

    func begin(
        _ prepared: UnconfinedBirth, _ descriptors: LaunchDescriptors, frame: UnsafeRawBufferPointer, placesItself: Bool
    ) {
        prepared.begin(descriptors, null: null, parent: process, placesItself: placesItself)
    }
}
