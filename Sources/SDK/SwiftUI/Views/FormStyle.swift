/// A style of the kind `Form`. Of no effect.
public protocol FormStyle {}

/// The style `automatic`.
public struct AutomaticFormStyle: FormStyle {
    /// Makes it.
    public init() {}
}

extension FormStyle where Self == AutomaticFormStyle {
    /// The style `automatic`.
    public static var automatic: AutomaticFormStyle { AutomaticFormStyle() }
}

/// The style `grouped`.
public struct GroupedFormStyle: FormStyle {
    /// Makes it.
    public init() {}
}

extension FormStyle where Self == GroupedFormStyle {
    /// The style `grouped`.
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}

/// The style `columns`.
public struct ColumnsFormStyle: FormStyle {
    /// Makes it.
    public init() {}
}

extension FormStyle where Self == ColumnsFormStyle {
    /// The style `columns`.
    public static var columns: ColumnsFormStyle { ColumnsFormStyle() }
}
