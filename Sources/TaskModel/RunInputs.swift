/// What a run's handler gets from outside its manifest.
package struct RunInputs: Sendable, Equatable {
    package var payload: [UInt8] = []
    /// In place of the manifest's; empty: those hold.
    package var settings: [UInt8] = []

    package init(payload: [UInt8] = [], settings: [UInt8] = []) {
        self.payload = payload
        self.settings = settings
    }

    package var isEmpty: Bool { payload.isEmpty && settings.isEmpty }
    package var count: Int { payload.count + settings.count }
}
