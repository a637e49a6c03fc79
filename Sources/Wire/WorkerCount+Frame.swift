package import TaskModel

extension WorkerCount {
    package func frame() -> [UInt8] {
        var frame = FrameWriter(.counted)
        frame.write(descriptors, tasks, expirations, assertions, heap, changes)
        return frame.finished() ?? []
    }

    package init(from frame: inout FrameReader) throws(WireError) {
        self.init(
            descriptors: try frame.read(), tasks: try frame.read(), expirations: try frame.read(),
            assertions: try frame.read(), heap: try frame.read(), changes: try frame.read())
        try frame.end()
    }
}
