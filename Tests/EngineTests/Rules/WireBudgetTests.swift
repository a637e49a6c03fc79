import Engine
import TaskModel
import Testing

@Suite("What a worker may say")
struct WireBudgetTests {
    private static let start = Instant(nanoseconds: 5_000_000_000)

    /// Reads one frame a microsecond, a turn's worth at a time, as long as the budget lets it; how many were read, or why no
    /// more.
    private func flood(
        _ price: WireBudget.Price, bytes: Int = 32, about run: RunHandle? = nil, for span: TimeSpan,
        into budget: inout WireBudget
    ) -> (frames: Int, flood: WireBudget.Flood?) {
        var now = Self.start
        var frames = 0
        while now - Self.start < span {
            for _ in 0..<64 { budget.charge(price, bytes: bytes, about: run, at: now) }
            frames += 64
            now = now + TimeSpan(nanoseconds: 64_000)
            switch budget.judge(at: now) {
            case .withinBudget: continue
            case .late(let until):
                #expect(until > now)
                now = until
            case .flood(let flood): return (frames, flood)
            }
        }
        return (frames, nil)
    }

    @Test("is 4,000 frames a second and a reserve of as many: the rest is read later, and never ends it")
    func plain() {
        var budget = WireBudget()
        let result = flood(.plain, for: .seconds(10), into: &budget)
        #expect(result.flood == nil)
        #expect((44_000 - 128...44_000 + 128).contains(result.frames), "\(result)")
    }

    @Test("is 16 MB a second, whatever the number of frames")
    func bytes() {
        var budget = WireBudget()
        let result = flood(.plain, bytes: 8192, for: .seconds(10), into: &budget)
        #expect(result.flood == nil)
        let megabytes = Double(result.frames) * 8192 / 1e6
        #expect(megabytes > 150 && megabytes < 190, "\(megabytes)")
    }

    @Test("does not wake the host for single frames: a turn's worth at a time")
    func wakes() {
        var budget = WireBudget()
        for _ in 0..<4001 { budget.charge(.plain, bytes: 16, about: nil, at: Self.start) }
        guard case .late(let until) = budget.judge(at: Self.start) else {
            Issue.record("it is not late")
            return
        }
        #expect(until - Self.start >= TimeSpan(nanoseconds: 64 * 250_000))
    }

    @Test("costs nothing where it is owed to the host")
    func free() {
        var budget = WireBudget()
        #expect(flood(.free, for: .milliseconds(100), into: &budget).frames > 90_000)
        #expect(budget.judge(at: Self.start) == .withinBudget)
    }

    @Test("ends it after a second of more frames than any honest worker sends, and says how many they were")
    func dear() throws {
        var budget = WireBudget()
        let result = flood(.dear, for: .seconds(10), into: &budget)
        let flood = try #require(result.flood)
        #expect(flood.span >= .seconds(1) && flood.span < .milliseconds(1200), "\(flood)")
        #expect(flood.frames > 900 && flood.frames < 1500, "\(flood)")
        #expect(result.frames < 2500, "\(result)")
    }

    @Test("is a quarter of that where each waits for a commit and an answer")
    func questions() throws {
        var budget = WireBudget()
        let result = flood(.question, for: .seconds(10), into: &budget)
        let flood = try #require(result.flood)
        #expect(flood.span >= .seconds(1) && flood.span < .milliseconds(1300), "\(flood)")
        #expect(result.frames < 700, "\(result)")
    }

    @Test("bears a burst of that, and many bursts with rests between them")
    func bursts() {
        var budget = WireBudget()
        var now = Self.start
        for _ in 0..<20 {
            for _ in 0..<1500 { budget.charge(.dear, bytes: 32, about: nil, at: now) }
            guard case .late(let until) = budget.judge(at: now) else {
                Issue.record("1,500 at once are more than the reserve")
                return
            }
            #expect(until - now < .seconds(1))
            now = now + .seconds(3)
            #expect(budget.judge(at: now) == .withinBudget)
        }
    }

    @Test("grows with the runs that it is given")
    func runs() {
        var budget = WireBudget()
        for second in 0..<5 {
            for step in 0..<1000 {
                let now = Self.start + .milliseconds(Int64(second * 1000 + step))
                // Ten runs a millisecond, each with two reports of progress and four lines.
                for _ in 0..<10 {
                    budget.addRun()
                    for _ in 0..<2 { budget.charge(.dear, bytes: 64, about: nil, at: now) }
                    for _ in 0..<4 { budget.charge(.plain, bytes: 64, about: nil, at: now) }
                }
                #expect(budget.judge(at: now) == .withinBudget)
            }
        }
    }

    @Test("names the run when all of it was about one")
    func culprit() throws {
        let (one, other) = (RunHandle(index: 1, generation: 1), RunHandle(index: 2, generation: 1))
        var budget = WireBudget()
        #expect(try #require(flood(.dear, about: one, for: .seconds(10), into: &budget).flood).run == one)

        budget = WireBudget()
        for _ in 0..<1100 { budget.charge(.dear, bytes: 32, about: one, at: Self.start) }
        budget.charge(.dear, bytes: 32, about: other, at: Self.start)
        #expect(try #require(flood(.dear, about: one, for: .seconds(10), into: &budget).flood).run == nil)
    }
}
