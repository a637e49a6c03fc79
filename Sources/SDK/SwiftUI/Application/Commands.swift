/// Commands of a menu, which does not exist.
@MainActor @preconcurrency public protocol Commands {
    /// The type of the commands that it consists of.
    associatedtype Body: Commands
    /// The commands that it consists of. Nothing but the application's own code calls it.
    @CommandsBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Commands where Body == Never {
    /// Not to be called: it consists of no other commands.
    public var body: Never { NoBody.trap(Self.self) }
}

extension Never: Commands {}

/// No commands.
public struct EmptyCommands: Commands {
    /// None.
    public typealias Body = Never
    /// Makes it.
    public nonisolated init() {}
}

/// Commands in a menu of the system.
public struct CommandGroup<Content: View>: Commands {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - group: of no effect.
    ///   - addition: the commands.
    public init(before group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { content = addition() }
    /// - Parameters:
    ///   - group: of no effect.
    ///   - addition: the commands.
    public init(after group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { content = addition() }
    /// - Parameters:
    ///   - group: of no effect.
    ///   - addition: the commands.
    public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) { content = addition() }
}

/// A menu.
public struct CommandMenu<Content: View>: Commands {
    /// None.
    public typealias Body = Never
    let content: Content
    /// - Parameters:
    ///   - nameKey: of no effect.
    ///   - content: the commands.
    public init(_ nameKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { self.content = content() }
}

/// A place in a menu of the system.
public struct CommandGroupPlacement: Sendable {
    /// The place `appInfo`.
    public static let appInfo = CommandGroupPlacement()
    /// The place `appSettings`.
    public static let appSettings = CommandGroupPlacement()
    /// The place `appTermination`.
    public static let appTermination = CommandGroupPlacement()
    /// The place `newItem`.
    public static let newItem = CommandGroupPlacement()
    /// The place `saveItem`.
    public static let saveItem = CommandGroupPlacement()
    /// The place `importExport`.
    public static let importExport = CommandGroupPlacement()
    /// The place `printItem`.
    public static let printItem = CommandGroupPlacement()
    /// The place `undoRedo`.
    public static let undoRedo = CommandGroupPlacement()
    /// The place `pasteboard`.
    public static let pasteboard = CommandGroupPlacement()
    /// The place `textEditing`.
    public static let textEditing = CommandGroupPlacement()
    /// The place `toolbar`.
    public static let toolbar = CommandGroupPlacement()
    /// The place `sidebar`.
    public static let sidebar = CommandGroupPlacement()
    /// The place `windowList`.
    public static let windowList = CommandGroupPlacement()
    /// The place `help`.
    public static let help = CommandGroupPlacement()
}

/// Several commands.
struct TupleCommands<Content>: Commands {
    typealias Body = Never
    let content: Content
}

/// Combines commands.
@resultBuilder public enum CommandsBuilder {
    /// Some commands.
    public static func buildExpression<Content: Commands>(_ content: Content) -> Content { content }
    /// No commands.
    public static func buildBlock() -> EmptyCommands { EmptyCommands() }
    /// Some commands.
    public static func buildBlock<Content: Commands>(_ content: Content) -> Content { content }
    /// Several commands.
    @MainActor @preconcurrency public static func buildBlock<First: Commands, each Content: Commands>(
        _ first: First, _ content: repeat each Content
    ) -> some Commands { TupleCommands(content: (first, repeat each content)) }
}
