import BackgroundTasks
import TaskHostTesting
import Testing
import UIKit
import os

@Suite("Outside of a worker")
struct OutsideTests {
    @Test("requests are refused with a sentence that says what to do")
    func submit() async throws {
        let request = BGAppRefreshTaskRequest(identifier: "org.taskhost.nowhere")
        await TestHost.withoutHost {
            do {
                try BGTaskScheduler.shared.submit(request)
                Issue.record("it was taken")
            } catch BGTaskScheduler.Error.unavailable {
                // As it should.
            } catch {
                Issue.record(error)
            }
            do {
                try await BGTaskScheduler.shared.submitTaskRequest(request)
                Issue.record("it was taken")
            } catch {
                #expect((error as NSError).code == 1)
                #expect((error as NSError).domain == "BGTaskSchedulerErrorDomain")
                #expect(error.localizedDescription.contains("`taskhost run IDENTIFIER`"))
                let reason = (error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String
                #expect(reason?.contains("worker") == true)
            }
            #expect(await BGTaskScheduler.shared.pendingTaskRequests().isEmpty)
            BGTaskScheduler.shared.cancelAllTaskRequests()
            #expect(BGTaskScheduler.supportedResources.isEmpty)
        }
    }

    @Test("handlers can be registered, once an identifier")
    func register() async {
        let identifier = "org.taskhost.outside"
        await TestHost.withoutHost {
            #expect(BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { _ in })
            #expect(!BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { _ in })
        }
    }

    @Test("nothing bounds memory")
    func memory() async { await TestHost.withoutHost { #expect(os_proc_available_memory() == 0) } }

    @Test("background time is without end")
    func backgroundTime() async {
        await TestHost.withoutHost {
            let identifier = UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
            #expect(identifier != .invalid)
            #expect(UIApplication.shared.backgroundTimeRemaining == .greatestFiniteMagnitude)
            UIApplication.shared.endBackgroundTask(identifier)
        }
    }

    @Test("requests are copied with their terms")
    func copies() throws {
        let request = BGContinuedProcessingTaskRequest(identifier: "a.b", title: "title", subtitle: "subtitle")
        request.strategy = .fail
        request.requiredResources = .gpu
        let copy = try #require(request.copy() as? BGContinuedProcessingTaskRequest)
        #expect(copy !== request)
        #expect(copy.identifier == "a.b" && copy.title == "title" && copy.subtitle == "subtitle")
        #expect(copy.strategy == .fail && copy.requiredResources == .gpu)
        let health = BGHealthResearchTaskRequest(identifier: "h")
        health.requiresExternalPower = true
        health.protectionTypeOfRequiredData = "junk"
        let other = try #require(health.copy() as? BGHealthResearchTaskRequest)
        #expect(other.requiresExternalPower && other.protectionTypeOfRequiredData == "junk")
        other.protectionTypeOfRequiredData = .complete
        #expect(other.protectionTypeOfRequiredData as String == FileProtectionType.complete.rawValue)
    }
}

@Suite("Lines of a log")
struct LogLineTests {
    @Test("hide what is not public")
    func privacy() {
        let (name, count) = ("secret", 5)
        #expect(OSLogMessage("\(name) \(count)").text == "<private> 5")
        #expect(OSLogMessage("\(name, privacy: .public)").text == "secret")
        #expect(OSLogMessage("\(count, privacy: .private)").text == "<private>")
        let first = OSLogMessage("\(name, privacy: .private(mask: .hash))").text
        #expect(first == OSLogMessage("\(name, privacy: .sensitive(mask: .hash))").text)
        #expect(first.hasPrefix("<mask.hash: '") && !first.contains(name))
    }

    @Test("format numbers")
    func numbers() {
        #expect(OSLogMessage("\(255, format: .hex(includePrefix: true))").text == "0xff")
        #expect(OSLogMessage("\(7, format: .decimal(minDigits: 3), align: .right(columns: 5))").text == "  007")
        #expect(OSLogMessage("\(1.005, format: .fixed(precision: 1))").text == "1.0")
        #expect(OSLogMessage("\(true) \(false, format: .answer)").text == "true NO")
        #expect(OSLogMessage("\(255, format: .hex(explicitPositiveSign: true, uppercase: true))").text == "+FF")
        #expect(OSLogMessage("\(8, format: .octal(explicitPositiveSign: true, includePrefix: true))").text == "+010")
        #expect(OSLogMessage("\(1_234.5, format: .exponential(precision: 2, uppercase: true))").text == "1.23E+03")
        #expect(OSLogMessage("\(1_234.5, format: .hybrid(precision: 2)) \(0.5, format: .hybrid)").text == "1.2e+03 0.5")
        #expect(OSLogMessage("\(1.0, format: .hex(explicitPositiveSign: true, uppercase: true))").text == "+0X1P+0")
    }

    @Test("show errors")
    func errors() {
        let error = NSError(domain: "org.taskhost", code: 7)
        #expect(OSLogMessage("\(error)").text == "<private>")
        #expect(OSLogMessage("\(error, privacy: .public)").text == error.description)
        let other: any Error = CancellationError()
        #expect(OSLogMessage("\(other, privacy: .public)").text == "CancellationError()")
        #expect(OSLogMessage("\(other as NSError, privacy: .public)").text == (other as NSError).description)
    }

    @Test("put arguments into a format")
    func formats() {
        #expect(FormattedMessage("%{public}@ has %d", ["a", 3]).text == "a has 3")
        #expect(FormattedMessage("%@ %s", ["a", "b"]).text == "<private> <private>")
        #expect(FormattedMessage("100%% %05.1f %x", [1.25, 255]).text == "100% 001.2 ff")
        #expect(FormattedMessage("%d %d", [1]).text == "1 <decode: missing data>")
        #expect(FormattedMessage("%{private}d %ld", [1, 2]).text == "<private> 2")
        #expect(FormattedMessage("%{bool}d %{BOOL}d %{bool}d", [1, 0, false]).text == "true NO false")
        #expect(FormattedMessage("%", []).text == "%")
        #expect(FormattedMessage("%{public", []).text == "%{public")
    }

    @Test("take widths and precisions from the arguments of a format")
    func stars() {
        #expect(FormattedMessage("%*d|%-*d|%d", [5, 3, 3, 1, 9]).text == "    3|1  |9")
        #expect(FormattedMessage("%.*f %*.*f", [2, 1.005, -6, 1, 2.25]).text == "1.00 2.2   ")
        #expect(FormattedMessage("%.*f %d", [-1, 0.5, 4]).text == "0.500000 4")
        #expect(FormattedMessage("%{public}.*s %d", [2, "text", 4]).text == "text 4")
        #expect(FormattedMessage("%*d", [5]).text == "<decode: missing data>")
        #expect(FormattedMessage("%*d", []).text == "<decode: missing data>")
        #expect(FormattedMessage("%*d", [Int64.max, 1]).text.count == 1_000)
    }
}
