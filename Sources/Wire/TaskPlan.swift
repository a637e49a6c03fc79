package import TaskModel

/// One task as its worker needs it.
package struct TaskPlan: Sendable, Equatable {
    package var identifier: String
    package var kind: TaskKind
    package var handler: Handler
    /// JSON text.
    package var settings: String

    package init(identifier: String, kind: TaskKind, handler: Handler, settings: String) {
        self.identifier = identifier
        self.kind = kind
        self.handler = handler
        self.settings = settings
    }
}

extension TaskPlan {
    /// Writes the body of a `task` frame.
    package func write(to frame: inout FrameWriter) {
        frame.text(identifier)
        frame.integer(kind.rawValue)
        frame.text(settings)
        switch handler {
        case .registered: frame.integer(UInt8(0))
        case .symbol(let name):
            frame.integer(UInt8(1))
            frame.text(name)
        case .foreign(let function):
            frame.integer(UInt8(2))
            function.write(to: &frame)
        case .event: frame.integer(UInt8(3))
        }
    }

    /// Reads the body of a `task` frame to its end.
    package init(from frame: inout FrameReader) throws(WireError) {
        identifier = try frame.text()
        guard let kind = TaskKind(rawValue: try frame.integer()) else { throw .badValue }
        self.kind = kind
        settings = try frame.text()
        switch try frame.integer(UInt8.self) {
        case 0: handler = .registered
        case 1: handler = .symbol(try frame.text())
        case 2: handler = .foreign(try ForeignFunction(from: &frame))
        case 3: handler = .event
        default: throw .badValue
        }
        try frame.end()
    }
}
