import Confining
import Linux
import Wire

/// Confined workers, each application's confinement prepared once.
struct ConfinedNursery: Nursery, ~Copyable {
    /// How many applications' confinements are kept; each has a descriptor and the rules' memory, of which every worker has
    /// a copy.
    private static let mostPrepared = 256

    private var template: ConfinementTemplate
    /// The prepared confinement of each application, by identifier.
    private var prepared: [String: (confinement: PreparedConfinement, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    /// Folders that some application may write, as they are named and as they really are.
    private var writable: Set<String> = []

    init() throws(ConfinementError) { template = try ConfinementTemplate() }

    var null: Int32 { template.nullDescriptor }

    /// Earlier confinements were prepared with fewer paths. No link in a named folder may lead to another one: an
    /// application that writes there could have placed it.
    mutating func learn(writable paths: [String]) {
        writable.formUnion(paths)
        writable.formUnion(GrantResolver(foreign: writable).realPlaces(of: paths))
        prepared.removeAll()
    }

    /// Made at an application's first launch, and again when a granted file has been replaced.
    mutating func prepare(_ plan: LaunchPlan, library: Int32) throws(ConfinementError) -> PreparedConfinement {
        uses += 1
        if let known = prepared[plan.application]?.confinement,
            known.isCurrent(for: plan, library: library, template: template)
        {
            prepared[plan.application]?.use = uses
            return known
        }
        prepared[plan.application] = nil
        if prepared.count >= Self.mostPrepared, let oldest = prepared.min(by: { $0.value.use < $1.value.use }) {
            prepared[oldest.key] = nil
        }
        let made = try PreparedConfinement(plan, library: library, template: template, foreign: writable)
        prepared[plan.application] = (made, uses)
        return made
    }

    mutating func moveHere() { template.moveHere() }

    func begin(
        _ prepared: PreparedConfinement, _ descriptors: LaunchDescriptors, frame: UnsafeRawBufferPointer,
        placesItself: Bool
    ) {
        unsafe WorkerBirth.begin(prepared, template, descriptors, frame: frame, placesItself: placesItself)
    }
}
