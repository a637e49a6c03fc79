import BackgroundTasks
import Testing

@Suite("What Foundation of Linux lacks")
struct FoundationTests {
    @Test("a background configuration keeps what it is given, and its session the identifier")
    func backgroundConfiguration() {
        let configuration = URLSessionConfiguration.background(withIdentifier: "org.taskhost.transfers")
        #expect(configuration.sessionSendsLaunchEvents && configuration.allowsExpensiveNetworkAccess)
        // Such a session always waits.
        #expect(configuration.waitsForConnectivity && configuration.sharedContainerIdentifier == nil)
        configuration.waitsForConnectivity = false
        configuration.sessionSendsLaunchEvents = false
        configuration.sharedContainerIdentifier = "group"
        #expect(configuration.waitsForConnectivity && !configuration.sessionSendsLaunchEvents)
        #expect(configuration.sharedContainerIdentifier == "group")
        #expect(configuration.identifier == "org.taskhost.transfers")
        let session = URLSession(configuration: configuration)
        #expect(session.configuration.identifier == "org.taskhost.transfers")
        #expect(!session.configuration.sessionSendsLaunchEvents)
        #expect(
            type(of: session) != URLSession.self && type(of: URLSession(configuration: .default)) == URLSession.self)
    }

    @Test("a new configuration has the defaults, also at the address of an old one")
    func configurationsApart() {
        for _ in 0..<1_000 {
            let configuration = URLSessionConfiguration.default
            #expect(configuration.allowsConstrainedNetworkAccess)
            configuration.allowsConstrainedNetworkAccess = false
            #expect(!configuration.allowsConstrainedNetworkAccess && configuration.allowsExpensiveNetworkAccess)
        }
    }

    @Test("notifications come in order, and an iterator that is gone no longer observes")
    func notifications() async {
        let center = NotificationCenter()
        let name = Notification.Name("org.taskhost.tick")
        var iterator = center.notifications(named: name).makeAsyncIterator()
        for number in 0..<3 { center.post(name: name, object: nil, userInfo: ["number": number]) }
        for number in 0..<3 {
            let next = await iterator.next()
            #expect(next?.userInfo?["number"] as? Int == number)
        }
        let waiting = Task { await center.notifications(named: name).makeAsyncIterator().takeOne() == nil }
        waiting.cancel()
        #expect(await waiting.value)
    }

    @Test("a source of memory pressure never fires, and ends like any other")
    func memoryPressure() async {
        let queue = DispatchQueue(label: "org.taskhost.pressure")
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: queue)
        source.setEventHandler { Issue.record("memory pressure") }
        await withCheckedContinuation { done in
            source.setCancelHandler { done.resume() }
            source.activate()
            source.cancel()
        }
        #expect(source.isCancelled && source.data.isEmpty)
    }

    @Test("CoreFoundation's names are Foundation's classes, from and to Swift's types")
    func coreFoundation() {
        let dictionary = ["key" as CFString: kCFBooleanTrue!, "number": 1 as CFNumber] as CFDictionary
        let values = dictionary as? [String: Any]
        #expect(values?["key"] as? Bool == true && values?["number"] as? Int == 1)
        let reference: CFTypeRef = Data([1, 2]) as CFData
        #expect(reference as? Data == Data([1, 2]) && "text" as CFString as String == "text")
    }

    @Test("an activity ends once, or with its last reference")
    func activities() {
        let activity = ProcessInfo.processInfo.beginActivity(options: .background, reason: "test")
        ProcessInfo.processInfo.endActivity(activity)
        ProcessInfo.processInfo.endActivity(activity)
        var isDone = false
        ProcessInfo().performActivity(options: .userInitiated, reason: "test") { isDone = true }
        #expect(isDone)
        #expect(!ProcessInfo().isLowPowerModeEnabled && ProcessInfo().thermalState == .nominal)
    }

    @Test("a progress made without arguments has no parent, and keeps its descriptions")
    func progress() {
        let parent = Progress(totalUnitCount: 1)
        parent.becomeCurrent(withPendingUnitCount: 1)
        let progress = Progress()
        parent.resignCurrent()
        progress.totalUnitCount = 2
        progress.completedUnitCount = 1
        // What no child has taken is done once the parent is no longer current.
        #expect(parent.fractionCompleted == 1)

        #expect(progress.localizedDescription == "" && progress.localizedAdditionalDescription == "")
        progress.localizedDescription = "Exporting"
        progress.localizedAdditionalDescription = "1 of 2"
        #expect(progress.localizedDescription == "Exporting" && progress.localizedAdditionalDescription == "1 of 2")
        progress.localizedDescription = nil
        #expect(progress.localizedDescription == "")
    }
}

extension AsyncIteratorProtocol {
    fileprivate consuming func takeOne() async -> Element? {
        var iterator = self
        return try? await iterator.next()
    }
}
