import TaskModel
import Testing

@testable import Transfer

@Suite("What is made durable on the way")
struct CheckpointTests {
    @Test("64 MiB after the last time, but not within five seconds; and whatever there is after thirty")
    func due() {
        let start = Instant(nanoseconds: 1_000_000_000)
        let checkpoint = Checkpoint(size: 1000, at: start)
        #expect(!checkpoint.isDue(size: 1000 + (64 << 20), at: start + .milliseconds(4999)))
        #expect(checkpoint.isDue(size: 1000 + (64 << 20), at: start + .seconds(5)))
        #expect(!checkpoint.isDue(size: 999 + (64 << 20), at: start + .seconds(29)))
        #expect(checkpoint.isDue(size: 1001, at: start + .seconds(30)))
        #expect(!checkpoint.isDue(size: 1000, at: start + .seconds(300)))
    }
}
