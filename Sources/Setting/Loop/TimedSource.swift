package import Linux
package import TaskModel

/// A source that waits for moments alone: it has no descriptors.
package protocol TimedSource: EventSource {}

extension TimedSource {
    package func attach(to registry: any SourceRegistry) {}
    package func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
}
