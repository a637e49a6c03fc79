package import TaskModel

// From worker to host, for the run's program.
extension Denial {
    package func frame(run: RunHandle) -> [UInt8] {
        var frame = FrameWriter(.denied, run: run)
        frame.integer(access.rawValue)
        frame.text(place, most: Self.longestPlace)
        frame.text(purpose, most: Self.longestPurpose)
        return frame.finished() ?? []
    }

    /// It is derived: a worker's own word.
    package init(from frame: inout FrameReader) throws(WireError) {
        let (number, place, purpose): (UInt8, String, String) = try frame.read()
        try frame.end()
        guard let access = Access(rawValue: number), place.utf8.count <= Self.longestPlace,
            purpose.utf8.count <= Self.longestPurpose
        else { throw .badValue }
        self.init(access, place, .derived, purpose: purpose)
    }
}
