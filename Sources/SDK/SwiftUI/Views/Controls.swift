/// A switch. Nothing switches it.
public struct Toggle<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    /// - Parameters:
    ///   - isOn: the value; nothing changes it.
    ///   - label: what it says.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { self.label = label() }
}

extension Toggle where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - isOn: the value; nothing changes it.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - isOn: the value; nothing changes it.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

/// A field for text. Nothing is typed into it.
public struct TextField<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    /// - Parameters:
    ///   - text: the value; nothing changes it.
    ///   - label: what it says.
    public init(text: Binding<String>, @ViewBuilder label: () -> Label) { self.label = label() }
}

extension TextField where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - text: the value; nothing changes it.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - text: the value; nothing changes it.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text) { Text(title) }
    }
}

/// A field for a password. Nothing is typed into it.
public struct SecureField<Label: View>: View {
    /// None.
    public typealias Body = Never
    let label: Label
    /// - Parameters:
    ///   - text: the value; nothing changes it.
    ///   - label: what it says.
    public init(text: Binding<String>, @ViewBuilder label: () -> Label) { self.label = label() }
}

extension SecureField where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - text: the value; nothing changes it.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(text: text) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - text: the value; nothing changes it.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(text: text) { Text(title) }
    }
}

/// A large field for text. Nothing is typed into it.
public struct TextEditor: View {
    /// None.
    public typealias Body = Never
    let text: Binding<String>
    /// - Parameter text: the value; nothing changes it.
    public init(text: Binding<String>) { self.text = text }
}

extension TextField where Label == Text {
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - text: the value; nothing changes it.
    ///   - prompt: what an empty field says.
    ///   - axis: of no effect.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil, axis: Axis = .horizontal) {
        self.init(text: text) { Text(titleKey) }
    }
    /// - Parameters:
    ///   - titleKey: what it says.
    ///   - value: the value; nothing changes it.
    ///   - format: its form.
    ///   - prompt: what an empty field says.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        label = Text(titleKey)
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - text: the value; nothing changes it.
    ///   - prompt: what an empty field says.
    ///   - axis: of no effect.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil, axis: Axis = .horizontal) {
        self.init(text: text) { Text(title) }
    }
    /// - Parameters:
    ///   - title: what it says.
    ///   - value: the value; nothing changes it.
    ///   - format: its form.
    ///   - prompt: what an empty field says.
    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        label = Text(title)
    }
}
