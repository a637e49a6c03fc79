/// A part of an application's interface. Scenes are values: nothing is drawn, and their modifiers for background tasks and
/// changes work.
@MainActor @preconcurrency public protocol Scene {
    /// The type of the scenes that it consists of.
    associatedtype Body: Scene
    /// The scenes that it consists of.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A scene that consists of no other scenes.
@MainActor protocol PrimitiveScene: Scene where Body == Never {
    /// Adds what it declares.
    func declare(to declarations: inout Declarations)
}

extension Scene where Body == Never {
    /// Not to be called: the scene consists of no other scenes.
    public var body: Never { NoBody.trap(Self.self) }
}

extension Never: Scene {}

/// A window, or a number of them, that is never drawn. Declares nothing.
@MainActor protocol WindowScene: PrimitiveScene {}

extension WindowScene {
    func declare(to declarations: inout Declarations) {}
}

/// Several scenes.
struct TupleScene<each Content: Scene>: Scene {
    typealias Body = Never
    let content: (repeat each Content)
    init(_ content: (repeat each Content)) { self.content = content }
}

extension TupleScene: PrimitiveScene {
    func declare(to declarations: inout Declarations) {
        var index = 0
        for scene in repeat each content {
            declarations.visit(scene, at: "\(index)")
            index += 1
        }
    }
}

/// A scene, or none.
struct OptionalScene<Content: Scene>: Scene {
    typealias Body = Never
    let content: Content?
    init(_ content: Content?) { self.content = content }
}

extension OptionalScene: PrimitiveScene {
    func declare(to declarations: inout Declarations) {
        if let content { declarations.visit(content, at: "some") }
    }
}

/// Combines the scenes of a body.
@resultBuilder public enum SceneBuilder {
    /// A scene.
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    /// One scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
    /// Several scenes.
    @MainActor public static func buildBlock<First: Scene, each Content: Scene>(
        _ first: First, _ content: repeat each Content
    ) -> some Scene { TupleScene((first, repeat each content)) }
    /// A scene under a condition.
    @MainActor public static func buildOptional<Content: Scene>(_ content: Content?) -> some Scene {
        OptionalScene(content)
    }
    /// A scene of a newer version of the system.
    public static func buildLimitedAvailability<Content: Scene>(_ content: Content) -> Content { content }
}
