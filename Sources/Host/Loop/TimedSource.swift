import Linux
import TaskModel

/// A source that waits for moments alone: it has no descriptors.
protocol TimedSource: EventSource {}

extension TimedSource {
    func attach(to registry: any SourceRegistry) {}
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
}
