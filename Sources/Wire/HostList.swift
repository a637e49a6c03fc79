/// The addresses of granted names: `name address address`, a line each.
package struct HostList: Sendable, Equatable {
    package var lines: [String]

    package init(lines: [String]) { self.lines = lines }

    package func frame() -> [UInt8] {
        var frame = FrameWriter(.hosts)
        frame.write(lines)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        lines = try frame.read()
        try frame.end()
    }
}
