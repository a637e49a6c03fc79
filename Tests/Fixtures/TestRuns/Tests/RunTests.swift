import Glibc
import Testing

/// What this run is to show: `well`, `broken`, `unlucky`, `many`, `crash` or `hang`.
private let role = getenv("ROLE").map { String(cString: $0) } ?? "well"

/// Fails the first time that it is asked in the folder MARKS.
private func failsOnce(_ name: String) -> Bool {
    let mark = (getenv("MARKS").map { String(cString: $0) } ?? "/nonexistent") + "/" + name
    let file = open(mark, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    return file >= 0
}

struct RunTests {
    @Test func `always passes`() {}

    @Test(.enabled(if: role == "broken")) func `always fails`() { #expect(Bool(false), "the words of a failure") }

    @Test(.enabled(if: role == "unlucky" || role == "many"), arguments: [1, 2])
    func `fails once`(number: Int) { #expect(number == 1 || !failsOnce("one"), "the words of the first failure") }

    @Test(.enabled(if: role == "many")) func `fails once, second`() { #expect(!failsOnce("two")) }
    @Test(.enabled(if: role == "many")) func `fails once, third`() { #expect(!failsOnce("three")) }
    @Test(.enabled(if: role == "many")) func `fails once, fourth`() { #expect(!failsOnce("four")) }

    @Test(.enabled(if: role == "crash")) func `crashes`() { abort() }
    @Test(.enabled(if: role == "hang")) func `hangs`() { while true { sleep(1000) } }
}
