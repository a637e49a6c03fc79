import TaskHostTesting
import XCTest

/// The kit under XCTest.
final class XCTestTests: XCTestCase {
    private var host: TestHost?

    override func setUp() async throws {
        host = try await TestHost(tasks: [TestApplication.refresh: .appRefresh]) {
            TestApplication.register(TestApplication.refresh) { task in
                task.setTaskCompleted(success: task.attempt == 1)
            }
        }
    }

    override func tearDown() async throws { await host?.close() }

    func testLaunch() async throws {
        let host = try XCTUnwrap(host)
        let result = try await host.launch(TestApplication.refresh)
        XCTAssertEqual(result.outcome, .succeeded)
    }

    func testRequest() async throws {
        let host = try XCTUnwrap(host)
        try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: TestApplication.refresh))
        XCTAssertEqual(host.submitted.count, 1)
        await host.advance(by: .seconds(1))
        XCTAssertEqual(host.results.map(\.outcome), [.succeeded])
    }
}
