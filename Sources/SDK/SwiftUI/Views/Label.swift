/// A text with a symbol.
public struct Label<Title: View, Icon: View>: View {
    /// None.
    public typealias Body = Never
    let title: Title
    let icon: Icon
    /// - Parameters:
    ///   - title: the text.
    ///   - icon: the symbol.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
}

extension Label where Title == Text, Icon == Image {
    /// - Parameters:
    ///   - titleKey: the text.
    ///   - systemImage: one of the system's symbols.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    /// - Parameters:
    ///   - title: the text.
    ///   - systemImage: one of the system's symbols.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
    /// - Parameters:
    ///   - titleKey: the text.
    ///   - image: one of the application's images.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
}
