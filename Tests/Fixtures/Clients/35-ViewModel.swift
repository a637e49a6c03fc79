import BackgroundTasks
import Combine
import UIKit

/// A view model of the kind that most applications with Combine have.
@MainActor
final class FeedModel: ObservableObject {
    @Published private(set) var items: [String] = []
    @Published var isLoading = false
    let refreshed = PassthroughSubject<Int, Never>()
    private let selection = CurrentValueSubject<String?, Never>(nil)
    private var cancellables = Set<AnyCancellable>()
    private var observer: AnyCancellable?

    var selected: AnyPublisher<String, Never> {
        selection.compactMap { $0 }.removeDuplicates().eraseToAnyPublisher()
    }

    init() {
        NotificationCenter.default.publisher(for: UIApplication.didEnterBackgroundNotification)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] _ in self?.schedule() }
            .store(in: &cancellables)
        $items
            .map(\.count)
            .filter { $0 > 0 }
            .receive(on: RunLoop.main)
            .sink(receiveCompletion: { _ in }, receiveValue: { [weak self] count in self?.refreshed.send(count) })
            .store(in: &cancellables)
        observer = refreshed.dropFirst().sink { print("refreshed", $0) }
        $items.map { $0.isEmpty }.assign(to: &$isLoading)
    }

    func select(_ item: String) {
        selection.value = item
        selection.send(item)
        objectWillChange.send()
    }

    func replace(_ items: [String]) { self.items = items }

    private func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.feed.refresh")
        do { try BGTaskScheduler.shared.submit(request) } catch { print(error) }
    }
}

enum LoadError: Error { case offline }

final class Loader {
    private let results = PassthroughSubject<Data, LoadError>()
    private var cancellables: [AnyCancellable] = []

    func watch(_ done: @escaping (Result<Data, LoadError>) -> Void) -> any Cancellable {
        results.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: break
                case .failure(let error): done(.failure(error))
                }
            }, receiveValue: { done(.success($0)) }
        ).store(in: &cancellables)
        return AnyCancellable { [results] in results.send(completion: .finished) }
    }

    func fail() { results.send(completion: .failure(.offline)) }
}
