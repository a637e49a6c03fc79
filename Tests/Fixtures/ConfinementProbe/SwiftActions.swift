import ConfinementAttacks
import Glibc

// Where Foundation is not, Dispatch is not either: Debian has both as modules of its own compiler alone.
#if canImport(Foundation)
import Dispatch
#endif

/// Honest work that needs the Swift runtime.
enum SwiftActions {
    /// The action's result, or nil when it is none of these.
    static func run(_ name: String) async -> Int32? {
        switch name {
        case "task": await tasks()
        default: ofDispatch(name)
        }
    }

    private static func tasks() async -> Int32 {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...100 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        return sum == 5050 ? 0 : Int32(ATTACK_BROKEN)
    }

    #if canImport(Foundation)
    private static func ofDispatch(_ name: String) -> Int32? {
        switch name {
        case "dispatch": dispatch()
        case "dispatchTimer": dispatchTimer()
        default: nil
        }
    }

    private static func dispatch() -> Int32 {
        let group = DispatchGroup()
        for _ in 0..<64 { DispatchQueue.global(qos: .utility).async(group: group) {} }
        return group.wait(timeout: .now() + 10) == .success ? 0 : Int32(ATTACK_BROKEN)
    }

    private static func dispatchTimer() -> Int32 {
        let fired = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .background))
        timer.setEventHandler { fired.signal() }
        timer.schedule(deadline: .now() + .milliseconds(1))
        timer.activate()
        return fired.wait(timeout: .now() + 10) == .success ? 0 : Int32(ATTACK_BROKEN)
    }
    #else
    private static func ofDispatch(_ name: String) -> Int32? { nil }
    #endif
}
