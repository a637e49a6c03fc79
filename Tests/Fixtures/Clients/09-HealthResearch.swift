import BackgroundTasks

func scheduleStudy() throws {
    let request = BGHealthResearchTaskRequest(identifier: "com.example.study")
    request.protectionTypeOfRequiredData = "complete"
    request.protectionTypeOfRequiredData = FileProtectionType.complete.rawValue as NSString
    request.requiresExternalPower = true
    try BGTaskScheduler.shared.submit(request)
}

func registerStudy() -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.study", using: nil) { task in
        if task is BGHealthResearchTask { print("study") }
        let processing = task as! BGProcessingTask
        processing.expirationHandler = nil
        processing.setTaskCompleted(success: true)
    }
}
