import TaskModel
import Wire

// A worker receives a task's data in one frame.
extension LibraryInspector {
    /// Refuses a task whose data do not fit.
    mutating func checkFrame(of task: TaskDefinition) {
        var frame = FrameWriter(.task)
        TaskPlan(
            identifier: task.identifier, kind: task.kind, handler: task.handler, settings: task.settings,
            secrets: task.secrets.map(\.name)
        )
        .write(to: &frame)
        let length = frame.bytes.count
        guard length > FrameHeader.maximumFrame else { return }
        refuse(
            "$.tasks[\"\(task.identifier)\"]", found: "a handler and settings of \(length) bytes",
            expected: "at most \(FrameHeader.maximumFrame) bytes together; put long texts into a file")
    }
}
