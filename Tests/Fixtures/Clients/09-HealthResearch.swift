import BackgroundTasks

func scheduleStudy() throws {
    let request = BGHealthResearchTaskRequest(identifier: "com.example.study")
    request.protectionTypeOfRequiredData = "complete"
    request.protectionTypeOfRequiredData = FileProtectionType.complete.rawValue as NSString
    request.protectionTypeOfRequiredData = .complete
    request.protectionTypeOfRequiredData = .completeUntilFirstUserAuthentication
    let isOpen = request.protectionTypeOfRequiredData == .completeUnlessOpen
    request.requiresExternalPower = !isOpen
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
