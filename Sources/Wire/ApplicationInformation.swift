package import TaskModel

/// A manifest's data about an application that its own code may read.
package struct ApplicationInformation: Sendable, Equatable {
    /// Empty when the manifest has none.
    package var name: String
    /// Empty when the manifest has none.
    package var version: String
    package var backgroundModes: [String]
    /// The largest memory budget of its tasks, in bytes; 0 if unknown.
    package var memory: UInt64
    /// The class of its scene delegate with its module; empty when the manifest names none.
    package var scene: String
    /// The number of the iOS SDK whose rules hold.
    package var sdk: UInt32

    package init(
        name: String = "", version: String = "", backgroundModes: [String] = [], memory: UInt64 = 0,
        scene: String = "", sdk: UInt32 = SystemRules.iOS26.number
    ) {
        self.name = name
        self.version = version
        self.backgroundModes = backgroundModes
        self.memory = memory
        self.scene = scene
        self.sdk = sdk
    }

    package init(_ definition: ApplicationDefinition) {
        self.init(
            name: definition.name ?? "", version: definition.version ?? "",
            backgroundModes: definition.backgroundModes ?? [],
            memory: (definition.largestMemory ?? Budget.defaultMemory).bytes,
            scene: definition.scene ?? "", sdk: definition.rules.number)
    }
}

extension ApplicationInformation: FramePart {
    package func write(to frame: inout FrameWriter) { frame.write(name, version, backgroundModes, memory, scene, sdk) }
    package init(partOf frame: inout FrameReader) throws(WireError) {
        (name, version, backgroundModes, memory, scene, sdk) = try frame.read()
    }
}
