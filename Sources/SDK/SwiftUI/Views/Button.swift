/// Does something when it is tapped: never.
public struct Button<Label: View>: View {
    /// None.
    public typealias Body = Never
    let action: () -> Void
    let label: Label
    /// - Parameters:
    ///   - action: kept; nothing calls it.
    ///   - label: what it looks like.
    public init(action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }
    /// - Parameters:
    ///   - role: what it is for.
    ///   - action: kept; nothing calls it.
    ///   - label: what it looks like.
    public init(role: ButtonRole?, action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
        self.init(action: action, label: label)
    }
}

extension Button where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - action: kept; nothing calls it.
    public init(_ titleKey: LocalizedStringKey, action: @escaping () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - action: kept; nothing calls it.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping () -> Void) {
        self.init(action: action) { Text(title) }
    }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - role: what it is for.
    ///   - action: kept; nothing calls it.
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - role: what it is for.
    ///   - action: kept; nothing calls it.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - systemImage: one of the system's symbols.
    ///   - role: what it is for.
    ///   - action: kept; nothing calls it.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - systemImage: one of the system's symbols.
    ///   - role: what it is for.
    ///   - action: kept; nothing calls it.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping () -> Void
    ) {
        self.init(action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }
}
