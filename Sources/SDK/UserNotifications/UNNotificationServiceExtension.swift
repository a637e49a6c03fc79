/// Changes remote notifications before iOS displays them. Nothing makes one here: there are no app extensions, and
/// nothing is displayed.
open class UNNotificationServiceExtension: NSObject {
    /// Gives the content back as it is.
    /// - Parameters:
    ///   - request: the notification.
    ///   - contentHandler: gets what is to be displayed.
    open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Does nothing. iOS calls it when the time is up.
    open func serviceExtensionTimeWillExpire() {}
}
