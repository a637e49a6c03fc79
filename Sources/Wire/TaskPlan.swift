package import TaskModel

/// One task as its worker needs it.
package struct TaskPlan: Sendable, Equatable {
    package var identifier: String
    package var kind: TaskKind
    package var handler: Handler
    /// JSON text.
    package var settings: String
    /// Names of the secrets whose descriptors come with each run, in this order.
    package var secrets: [String]

    package init(identifier: String, kind: TaskKind, handler: Handler, settings: String, secrets: [String] = []) {
        self.identifier = identifier
        self.kind = kind
        self.handler = handler
        self.settings = settings
        self.secrets = secrets
    }
}

extension TaskPlan {
    /// Beyond the bits of a mode.
    private static let (hasMask, isOfShell): (UInt32, UInt32) = (1 << 31, 1 << 30)

    /// Writes the body of a `task` frame.
    package func write(to frame: inout FrameWriter) {
        frame.write(identifier, kind, settings)
        switch handler {
        case .registered: frame.write(UInt8(0))
        case .symbol(let name): frame.write(UInt8(1), name)
        case .foreign(let function): frame.write(UInt8(2), function)
        case .event: frame.write(UInt8(3))
        case .command(let command):
            frame.write(
                UInt8(4), command.words, command.environment, command.environmentFiles, command.workingDirectory ?? "",
                (command.fileModeMask.map { $0 | Self.hasMask } ?? 0) | (command.isOfShell ? Self.isOfShell : 0))
        }
        frame.write(secrets)
    }

    /// Reads the body of a `task` frame to its end.
    package init(from frame: inout FrameReader) throws(WireError) {
        (identifier, kind, settings) = try frame.read()
        switch try frame.integer(UInt8.self) {
        case 0: handler = .registered
        case 1: handler = .symbol(try frame.read())
        case 2: handler = .foreign(try frame.read())
        case 3: handler = .event
        case 4:
            var command = ProgramCommand([])
            let folder: String
            let mask: UInt32
            (command.words, command.environment, command.environmentFiles, folder, mask) = try frame.read()
            if mask & Self.hasMask != 0 { command.fileModeMask = mask & ~(Self.hasMask | Self.isOfShell) }
            command.isOfShell = mask & Self.isOfShell != 0
            command.workingDirectory = folder.isEmpty ? nil : folder
            guard !command.words.isEmpty else { throw .badValue }
            handler = .command(command)
        default: throw .badValue
        }
        secrets = try frame.read()
        try frame.end()
    }
}
