import Engine
import TaskModel
import Testing

struct DiskTests {
    private static let roomy = ByteCount.mebibytes(64 << 10)

    let bench = Bench(diskFloor: .mebibytes(128))
    let application: ApplicationIndex
    let task: TaskIndex

    init() {
        application = bench.application()
        task = bench.task(of: application, wallClock: .seconds(600), disk: .mebibytes(8))
    }

    private func weigh(_ mebibytes: UInt64) -> [Action] {
        bench.feed(.diskMetered(application: application, used: .mebibytes(mebibytes)))
    }

    private func free(_ mebibytes: UInt64) -> [Action] { bench.feed(.spaceMetered(free: .mebibytes(mebibytes))) }

    /// A run that started when its folders held that much.
    private func running(holding mebibytes: UInt64) throws -> (run: RunHandle, worker: WorkerHandle) {
        let (run, actions) = bench.submitted(task)
        #expect(actions.contains(.weighFolders(application: application)), "folders are weighed before anything runs")
        let pair = try (#require(run), #require(actions.launched))
        #expect(weigh(mebibytes) == [])
        _ = bench.feed(.ready(pair.1))
        return pair
    }

    @Test func `The disk is not read while nothing runs, nor where it is not metered`() throws {
        #expect(bench.engine.nextDeadline == .distantFuture)
        let other = Bench()
        let (_, worker) = try #require(other.running(other.task(of: other.application(), wallClock: .unlimited)))
        #expect(other.engine.nextDeadline == .distantFuture)
        #expect(other.feed(.spaceMetered(free: ByteCount(bytes: 0))) == [])
        _ = worker
    }

    @Test func `While a run continues free space is read, less and less often as long as none is used`() throws {
        _ = try running(holding: 1)
        var looks: [TimeSpan] = []
        for _ in 0..<12 {
            let before = bench.now.instant
            #expect(bench.passToDeadline() == [.meterSpace])
            looks.append(bench.now.instant - before)
            let actions = free(64 << 10)
            #expect(actions == (looks.count == 1 ? [.weighFolders(application: application)] : []))
            if looks.count == 1 { #expect(weigh(1) == []) }
        }
        #expect(looks.first == .milliseconds(250))
        #expect(looks.last == .seconds(30))
        #expect(looks == looks.sorted())
        // 600 MiB above the floor can be gone in 0.3 s.
        _ = bench.passToDeadline()
        _ = free(728)
        let before = bench.now.instant
        #expect(bench.passToDeadline() == [.meterSpace])
        #expect(bench.now.instant - before <= .milliseconds(300))
    }

    @Test func `Folders are weighed when enough has gone from the disk, and their writer is killed`() throws {
        let (run, worker) = try running(holding: 1)
        _ = bench.passToDeadline()
        #expect(free(10_000) == [.weighFolders(application: application)], "the first look has nothing to compare with")
        #expect(weigh(2) == [])
        _ = bench.passToDeadline()
        #expect(free(9_995) == [], "5 MiB have gone: no more than 7 can be here")
        _ = bench.passToDeadline()
        #expect(free(9_990) == [.weighFolders(application: application)])
        #expect(weigh(8) == [], "the budget is the budget")
        _ = bench.passToDeadline()
        #expect(free(9_989) == [.weighFolders(application: application)])
        #expect(weigh(9) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededDisk)
    }

    @Test func `What was there before is not held against a run, but it may not add to it`() throws {
        let (run, worker) = try running(holding: 300)
        #expect(weigh(300) == [])
        #expect(weigh(200) == [])
        #expect(bench.slot(run)?.phase == .running)
        #expect(weigh(301) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededDisk)
    }

    @Test func `Who is refused more than its folders may hold has exceeded its budget, however little is there`() throws
    {
        let (run, worker) = try running(holding: 1)
        let other = bench.application()
        let (bystander, second) = try #require(bench.launching(bench.task(of: other, wallClock: .seconds(600))))
        _ = bench.feed(.ready(second))
        #expect(bench.feed(.diskRefused(application: application)) == [.kill(worker)])
        #expect(bench.feed(.diskRefused(application: application)) == [], "it tries on until it is gone")
        #expect(bench.complete(run, of: worker) == [], "it comes too late")
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededDisk)
        #expect(bench.slot(bystander)?.phase == .running)
    }

    @Test func `A refusal after the end of a run concerns no run`() throws {
        let (run, worker) = try running(holding: 1)
        _ = bench.complete(run, of: worker)
        #expect(bench.feed(.diskRefused(application: application)) == [])
        #expect(bench.outcome(run) == .succeeded)
        #expect(bench.feed(.diskRefused(application: ApplicationIndex(number: 77))) == [])
    }

    @Test func `A short run ends without being weighed`() throws {
        let (run, worker) = try running(holding: 1)
        bench.skip(.milliseconds(1))
        _ = bench.complete(run, of: worker)
        #expect(bench.outcome(run) == .succeeded)
    }

    @Test func `A run that had time to write too much is weighed before it has its outcome`() throws {
        for (weight, outcome) in [(8, Outcome.succeeded), (9, .exceededDisk)] as [(UInt64, Outcome)] {
            let bench = Bench(diskFloor: .mebibytes(128))
            let application = bench.application()
            let task = bench.task(of: application, wallClock: .seconds(600), disk: .mebibytes(8))
            let (run, worker) = try #require(bench.launching(task))
            _ = bench.feed(.diskMetered(application: application, used: ByteCount(bytes: 0)))
            _ = bench.feed(.ready(worker))
            bench.skip(.seconds(1))
            #expect(bench.complete(run, of: worker) == [.weighFolders(application: application)])
            #expect(bench.slot(run)?.phase == .ending)
            #expect(bench.complete(run, of: worker, success: false) == [], "the first completion counts")
            let actions = bench.feed(.diskMetered(application: application, used: .mebibytes(weight)))
            #expect(actions.contains(.finish(run)) && !actions.contains(.kill(worker)))
            #expect(bench.outcome(run) == outcome)
        }
    }

    @Test func `A weight that was asked for before the last write does not count as the last`() throws {
        let (run, worker) = try running(holding: 1)
        _ = bench.passToDeadline()
        #expect(free(10_000) == [.weighFolders(application: application)])
        bench.skip(.seconds(1))
        #expect(bench.complete(run, of: worker) == [])
        #expect(weigh(1) == [.weighFolders(application: application)])
        #expect(bench.slot(run)?.phase == .ending)
        _ = weigh(20)
        #expect(bench.outcome(run) == .exceededDisk)
    }

    @Test func `A completed run whose folders cannot be weighed has its outcome after some seconds`() throws {
        let (run, worker) = try running(holding: 1)
        bench.skip(.seconds(1))
        _ = bench.complete(run, of: worker)
        for _ in 0..<100 where bench.outcome(run) != .succeeded || bench.slot(run)?.phase == .ending {
            _ = bench.passToDeadline()
        }
        #expect(bench.outcome(run) == .succeeded && bench.slot(run)?.phase == .ended)
    }

    @Test func `A completion stands when the process goes before its folders were weighed`() throws {
        let (run, worker) = try running(holding: 1)
        bench.skip(.seconds(1))
        _ = bench.complete(run, of: worker)
        _ = bench.gone(worker, signal: 0, status: 3)
        #expect(bench.outcome(run) == .succeeded)
        #expect(bench.slot(run)?.figures.exitStatus == nil)
    }

    @Test func `Below the floor those that fill the disk are warned, and no others`() throws {
        let (writer, worker) = try running(holding: 1)
        let quiet = bench.application()
        let other = bench.task(of: quiet, wallClock: .seconds(600))
        let (bystander, second) = try #require(bench.launching(other))
        _ = bench.feed(.diskMetered(application: quiet, used: .mebibytes(1)))
        _ = bench.feed(.ready(second))
        _ = bench.passToDeadline()
        #expect(free(100) == [.weighFolders(application: application), .weighFolders(application: quiet)])
        #expect(
            weigh(5) == .expiration(worker, writer, .diskLow))
        #expect(bench.feed(.diskMetered(application: quiet, used: .mebibytes(1))) == [])
        #expect(bench.slot(bystander)?.phase == .running)
        #expect(bench.reason(writer) == .diskLow)
    }

    @Test func `Who was warned and still writes is killed when the host finds no room`() throws {
        let (run, worker) = try running(holding: 1)
        #expect(bench.feed(.diskFull(.ample)) == [.weighFolders(application: application)])
        #expect(weigh(4) == .expiration(worker, run, .diskLow))
        #expect(bench.feed(.diskFull(.ample)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .overran)
        #expect(bench.reason(run) == .diskLow)
    }

    @Test func `When little space is left all are warned`() throws {
        let (run, worker) = try running(holding: 1)
        #expect(
            bench.feed(.diskFull(.short)).starts(with: [Action].expiration(worker, run, .diskLow)))
    }

    @Test func `What was killed because no space was left is interrupted`() throws {
        let (run, worker) = try running(holding: 1)
        #expect(bench.feed(.diskFull(.none)) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .interrupted)
        #expect(bench.reason(run) == .diskLow)
    }

    @Test func `A folder that counts as full counts so for the next run too`() throws {
        let (run, worker) = try running(holding: 1 << 40)
        #expect(bench.feed(.diskMetered(application: application, used: ByteCount(bytes: .max))) == [.kill(worker)])
        _ = bench.gone(worker)
        #expect(bench.outcome(run) == .exceededDisk)
    }
}
