import Glibc
import TaskModel
import Testing

@testable import Worker

@Suite struct ForeignCallbackTests {
    private static let own = ForeignFixture.library
    private func callback(_ callback: Callback, _ result: ValueType, _ parameters: [ValueType] = []) -> Argument {
        .callback(callback, Signature(result: result, parameters: parameters))
    }

    @Test("shouldStop stops a walk over a folder midway", arguments: [0, 3, 7])
    func walk(stopsAfter: Int) throws {
        let folder = try #require(ForeignFixture.makeTemporaryFolder())
        for number in 0..<20 { ForeignFixture.write("x", to: "\(folder)/\(number)") }
        defer {
            for number in 0..<20 { unlink("\(folder)/\(number)") }
            rmdir(folder)
        }
        let call = try ForeignCase(
            "nftw", .i32, [.string, .callback, .i32, .i32],
            [
                .payloadString, callback(.shouldStop, .i32, [.string, .pointer, .i32, .pointer]), .integer(16),
                .integer(1),
            ], gives: nil, rule: .compare(.equal, .integer(0))
        ).prepare()
        let run = RunDouble(payload: folder, stopsAfter: stopsAfter)
        let result = try call.call(run)
        #expect(result.value == .integer(1))
        #expect(!result.success)
        #expect(run.questions == stopsAfter + 1)

        let unhurried = RunDouble(payload: folder)
        let whole = try call.call(unhurried)
        #expect(whole.success)
        #expect(unhurried.questions == 21)
    }

    @Test("A callback may stand where its arguments are not of interest")
    func sortingWithIt() throws {
        let call = try ForeignCase(
            "qsort", .void, [.pointer, .u64, .u64, .callback],
            [.payloadBytes, .payloadLength, .integer(1), callback(.shouldStop, .i32, [.pointer, .pointer])], gives: nil
        ).prepare()
        let run = RunDouble(payload: "abcdefgh")
        _ = try call.call(run)
        #expect(run.questions > 0)
        #expect(run.payload.elementsEqual("abcdefgh".utf8))
    }

    @Test("Further parameters of a callback are ignored")
    func extraParameters() throws {
        let call = try ForeignCase(
            "ask_with_extras", in: Self.own, .i32, [.callback, .i32],
            [callback(.shouldStop, .i32, [.string, .pointer, .i32, .f64]), .integer(100)], gives: nil
        ).prepare()
        #expect(try call.call(RunDouble(stopsAfter: 5)).value == .integer(5))
        #expect(try call.call(RunDouble()).value == .integer(100))
    }

    @Test(
        "timeRemaining gives seconds in whatever type the library uses",
        arguments: [
            ("ask_time", ValueType.f64, 12.75, ResultValue.real(12.75)), ("ask_time_f32", .f32, 12.75, .real(12.75)),
            ("ask_time_i8", .i8, 12.75, .integer(12)), ("ask_time_i8", .i8, 1e9, .integer(127)),
        ])
    func timeRemaining(_ symbol: String, _ type: ValueType, _ seconds: Double, _ expected: ResultValue) throws {
        let call = try ForeignCase(
            symbol, in: Self.own, type, [.callback], [callback(.timeRemaining, type)], gives: nil
        ).prepare()
        #expect(try call.call(RunDouble(remaining: seconds)).value == expected)
    }

    @Test("shouldStop answers in bool as well", arguments: [(0, Int64(21)), (1, 12)])
    func boolAnswer(_ stopsAfter: Int, _ expected: Int64) throws {
        let call = try ForeignCase(
            "ask_bool", in: Self.own, .i32, [.callback], [callback(.shouldStop, .bool)], gives: nil
        ).prepare()
        #expect(try call.call(RunDouble(stopsAfter: stopsAfter)).value == .integer(expected))
    }

    @Test(
        "complete takes its verdict from an integer of any width",
        arguments: [
            ("complete_i8", ValueType.i8, Int64(-1), true), ("complete_i8", .i8, 0, false),
            ("complete_i64", .i64, 1 << 32, true), ("complete_i64", .i64, 0, false),
        ])
    func completion(_ symbol: String, _ type: ValueType, _ verdict: Int64, _ expected: Bool) throws {
        let call = try ForeignCase(
            symbol, in: Self.own, .void, [.callback, type], [callback(.complete, .void, [type]), .integer(verdict)],
            gives: nil
        ).prepare()
        let run = RunDouble()
        let result = try call.call(run)
        #expect(call.completesByCallback)
        #expect(result.callbacks != nil)
        #expect(run.completions == [expected])
    }

    @Test("complete may come from another thread after the function returned; later calls do nothing")
    func lateCompletion() throws {
        let keep = try ForeignCase(
            "keep", in: Self.own, .void, [.callback], [callback(.complete, .void, [.i32])], gives: nil
        ).prepare()
        func callKept(_ verdict: Int64) throws -> ResultValue? {
            try ForeignCase(
                "call_kept_on_thread", in: Self.own, .i32, [.i32], [.integer(verdict)], gives: nil
            ).prepare().call(RunDouble()).value
        }
        let run = RunDouble()
        var result: ForeignResult? = try keep.call(run)
        #expect(run.completions == [])
        #expect(try callKept(1) == .integer(0))
        #expect(run.completions == [true])
        #expect(result?.callbacks != nil)

        result = nil
        #expect(try callKept(0) == .integer(0))
        #expect(run.completions == [true], "the run had given its callbacks back")
    }

    @Test("A callback that outlives its run asks the library to stop, and does not answer for later runs")
    func outlivingCallback() throws {
        let keep = try ForeignCase(
            "keep_stop", in: Self.own, .void, [.callback], [callback(.shouldStop, .i32)], gives: nil
        ).prepare()
        let ask = try ForeignCase("ask_kept", in: Self.own, .i32, [], [], gives: nil).prepare()
        do {
            let run = RunDouble()
            let result = try keep.call(run)
            #expect(try ask.call(run).value == .integer(0))
            #expect(result.callbacks != nil)
        }
        #expect(try ask.call(RunDouble()).value == .integer(1))
    }

    @Test("Closures are used again, but only after their quarantine")
    func quarantine() throws {
        let pool = try ClosurePool(.shouldStop, Signature(result: .i32, parameters: []))
        let run = RunDouble()
        var seen: [UnsafeMutableRawPointer] = []
        for _ in 0..<3 * ClosurePool.quarantine {
            let lent = try ForeignCallbacks([pool], for: run)
            #expect(!seen.suffix(ClosurePool.quarantine).contains(lent.code(0)))
            seen.append(lent.code(0))
        }
        #expect(Set(seen).count <= ClosurePool.quarantine + 1)
    }

    @Test("The callbacks of a run do not keep it alive")
    func noCycle() throws {
        let pool = try ClosurePool(.shouldStop, Signature(result: .i32, parameters: []))
        weak var gone: RunDouble?
        do {
            let run = RunDouble()
            gone = run
            let lent = try ForeignCallbacks([pool], for: run)
            #expect(lent.code(0) != UnsafeMutableRawPointer(bitPattern: 1))
        }
        #expect(gone == nil)
    }
}
