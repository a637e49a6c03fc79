extension NSString {
    /// A text of the main bundle's table, in the user's language: on iOS when the notification is displayed, here at
    /// once. Where the table has none, the key itself.
    /// - Parameters:
    ///   - key: names the text.
    ///   - arguments: for the places that its format has.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let format = Bundle.main.localizedString(forKey: key, value: nil, table: nil)
        guard let arguments, !arguments.isEmpty else { return format }
        return String(format: format, locale: .current, arguments: arguments.compactMap { $0 as? any CVarArg })
    }
}
