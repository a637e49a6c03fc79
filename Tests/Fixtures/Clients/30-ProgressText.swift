import BackgroundTasks

func describe(_ task: BGContinuedProcessingTask, step: Int, of steps: Int) {
    let part = Progress()
    part.totalUnitCount = Int64(steps)
    part.localizedDescription = "Exporting"
    part.localizedAdditionalDescription = "\(step) of \(steps)"
    task.progress.addChild(part, withPendingUnitCount: 1)
    task.progress.localizedDescription = part.localizedDescription
    let text: String = part.localizedDescription ?? "-"
    task.updateTitle(text, subtitle: part.localizedAdditionalDescription ?? "")
}
