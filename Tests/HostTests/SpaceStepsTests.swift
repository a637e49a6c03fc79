import TaskModel
import Testing

@testable import Host

struct SpaceStepsTests {
    @Test func `What counts as free is the largest step that is reached`() {
        var steps = SpaceSteps()
        #expect(steps.step(of: 0, floor: 10, before: .max) == .max, "no transfer needs any")
        #expect(!steps.add(0) && !steps.add(100) && !steps.add(100) && !steps.add(50))
        #expect(steps.step(of: 100, floor: 10, before: .max) == .max)
        #expect(steps.step(of: 99, floor: 10, before: .max) == 50)
        #expect(steps.step(of: 49, floor: 10, before: .max) == 10)
        #expect(steps.step(of: 5, floor: 80, before: .max) == 50, "never as much as a step that is not reached")
    }

    @Test func `A step that was not reached takes a little more, so that it does not flutter`() {
        var steps = SpaceSteps()
        _ = steps.add(800)
        #expect(steps.step(of: 850, floor: 10, before: 10) == 10)
        #expect(steps.step(of: 900, floor: 10, before: 10) == .max)
        #expect(steps.step(of: 800, floor: 10, before: .max) == .max)
        _ = steps.add(1 << 40)
        #expect(steps.step(of: (1 << 40) + (16 << 20), floor: 10, before: 10) == .max, "of a large step only 16 MiB")
    }

    @Test func `A file system is asked once a second, and again when a transfer needs more`() {
        var steps = SpaceSteps()
        let start = Instant(nanoseconds: 0)
        #expect(!steps.isLookDue(at: start))
        steps.noteLook(at: start)
        #expect(steps.add(1) && steps.isLookDue(at: start))
        steps.noteLook(at: start)
        #expect(!steps.isLookDue(at: start + .milliseconds(999)) && steps.isLookDue(at: start + .seconds(1)))
        #expect(steps.add(2) && steps.isLookDue(at: start))
    }
}
