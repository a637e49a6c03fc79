// Runs in ClientNames.
import UserNotifications

/// Changes what a server has sent before it is seen.
final class RichPushService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var best: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        guard let best = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        self.best = best
        guard let sender = best.userInfo["sender"] as? String else { return }
        best.title = sender
        best.threadIdentifier = sender
        if #available(iOS 15.0, *) { best.interruptionLevel = .active }
        finish()
    }

    override func serviceExtensionTimeWillExpire() { finish() }

    private func finish() {
        guard let best else { return }
        contentHandler?(best)
        contentHandler = nil
    }
}

@MainActor
func tryRichPush() {
    let content = UNMutableNotificationContent()
    content.title = "Message"
    var shown: [String] = []
    for sender in ["Ada", nil] {
        content.userInfo = sender.map { ["sender": $0] } ?? [:]
        let service = RichPushService()
        let request = UNNotificationRequest(identifier: "push", content: content, trigger: nil)
        service.didReceive(request) { shown.append("\($0.title) \($0.threadIdentifier)") }
        service.serviceExtensionTimeWillExpire()
    }
    precondition(shown == ["Ada Ada", "Message "] && content.title == "Message")
    var plain: UNNotificationContent?
    UNNotificationServiceExtension()
        .didReceive(UNNotificationRequest(identifier: "plain", content: content, trigger: nil)) { plain = $0 }
    precondition(plain?.title == "Message")
}
