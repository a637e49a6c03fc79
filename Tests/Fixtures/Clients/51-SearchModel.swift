import Combine
import Foundation
import UIKit

/// A search field with its results, as view models with Combine have it.
struct Repository: Codable, Hashable, Identifiable {
    let id: Int
    let name: String
}

struct SearchResponse: Decodable {
    let items: [Repository]
}

enum SearchError: Error {
    case network(URLError)
    case decoding(DecodingError)
    case other(Error)
}

protocol SearchService {
    func search(_ query: String) -> AnyPublisher<[Repository], SearchError>
}

final class GitHubService: SearchService {
    private let session: URLSession
    private let decoder = JSONDecoder()

    init(session: URLSession = .shared) { self.session = session }

    func search(_ query: String) -> AnyPublisher<[Repository], SearchError> {
        var components = URLComponents(string: "https://api.example.com/search/repositories")
        components?.queryItems = [URLQueryItem(name: "q", value: query)]
        guard let url = components?.url else {
            return Fail(error: SearchError.network(URLError(.badURL))).eraseToAnyPublisher()
        }
        return session.dataTaskPublisher(for: url)
            .tryMap { output -> Data in
                guard let response = output.response as? HTTPURLResponse, response.statusCode == 200 else {
                    throw URLError(.badServerResponse)
                }
                return output.data
            }
            .retry(2)
            .decode(type: SearchResponse.self, decoder: decoder)
            .map(\.items)
            .mapError { error in
                switch error {
                case let error as URLError: return .network(error)
                case let error as DecodingError: return .decoding(error)
                default: return .other(error)
                }
            }
            .eraseToAnyPublisher()
    }
}

@MainActor
final class SearchViewModel: ObservableObject {
    @Published var query = ""
    @Published private(set) var results: [Repository] = []
    @Published private(set) var isLoading = false
    @Published private(set) var canSubmit = false
    @Published private(set) var now = Date()
    @Published var email = ""
    @Published var password = ""

    private let service: SearchService
    private var cancellables = Set<AnyCancellable>()
    private let refresh = PassthroughSubject<Void, Never>()
    private let timer: Publishers.Autoconnect<Timer.TimerPublisher>

    init(service: SearchService) {
        self.service = service
        timer = Timer.publish(every: 60, tolerance: 5, on: .main, in: .common).autoconnect()

        $query
            .debounce(for: .milliseconds(300), scheduler: RunLoop.main)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .removeDuplicates()
            .filter { $0.count > 2 }
            .handleEvents(receiveOutput: { [weak self] _ in self?.isLoading = true })
            .map { query in
                service.search(query)
                    .catch { _ in Just([]) }
            }
            .switchToLatest()
            .receive(on: DispatchQueue.main)
            .handleEvents(receiveOutput: { [weak self] _ in self?.isLoading = false })
            .assign(to: \.results, on: self)
            .store(in: &cancellables)

        Publishers.CombineLatest($email, $password)
            .map { email, password in email.contains("@") && password.count >= 8 }
            .assign(to: &$canSubmit)

        timer.assign(to: &$now)

        refresh
            .throttle(for: 1, scheduler: DispatchQueue.main, latest: true)
            .merge(
                with: NotificationCenter.default.publisher(for: UIApplication.willEnterForegroundNotification)
                    .map { _ in }
            )
            .prepend(())
            .flatMap { [service] in
                service.search("swift").replaceError(with: [])
            }
            .sink { [weak self] items in self?.results = items }
            .store(in: &cancellables)
    }

    func pullToRefresh() { refresh.send() }
}

/// A cache in front of a request, with a future and shared work.
final class ImageLoader {
    private var running: [URL: AnyPublisher<Data, URLError>] = [:]
    private var bag: [AnyCancellable] = []

    func image(_ url: URL) -> AnyPublisher<Data, URLError> {
        if let publisher = running[url] { return publisher }
        let publisher = URLSession.shared.dataTaskPublisher(for: URLRequest(url: url))
            .map(\.data)
            .timeout(.seconds(10), scheduler: DispatchQueue.global(), customError: { URLError(.timedOut) })
            .share()
            .eraseToAnyPublisher()
        running[url] = publisher
        return publisher
    }

    func decode(_ data: Data) -> Future<String, Error> {
        Future { promise in
            guard let text = String(data: data, encoding: .utf8) else {
                return promise(.failure(CocoaError(.fileReadInapplicableStringEncoding)))
            }
            promise(.success(text))
        }
    }

    func all(_ urls: [URL]) -> AnyPublisher<[String], Error> {
        urls.publisher
            .setFailureType(to: URLError.self)
            .flatMap(maxPublishers: .max(2)) { self.image($0) }
            .mapError { $0 as Error }
            .flatMap { data in self.decode(data) }
            .collect()
            .subscribe(on: DispatchQueue.global(qos: .utility))
            .receive(on: DispatchQueue.main)
            .print("images")
            .eraseToAnyPublisher()
    }

    func both(_ first: URL, _ second: URL) -> AnyPublisher<Int, URLError> {
        Publishers.Zip(image(first), image(second))
            .map { $0.count + $1.count }
            .delay(for: .seconds(0.5), scheduler: OperationQueue.main)
            .first()
            .eraseToAnyPublisher()
    }

    func cached(_ data: Data?) -> AnyPublisher<Data, Never> {
        Deferred { data.publisher.append(Just(Data())) }
            .prefix(1)
            .replaceEmpty(with: Data())
            .eraseToAnyPublisher()
    }

    func start(_ urls: [URL]) async throws -> [String] {
        Publishers.MergeMany(urls.map { image($0) })
            .scan(0) { $0 + $1.count }
            .last()
            .sink(
                receiveCompletion: { completion in
                    if case let .failure(error) = completion { print(error) }
                }, receiveValue: { print($0) }
            )
            .store(in: &bag)
        for try await texts in all(urls).values { return texts }
        return []
    }
}

/// A publisher and an operator of an application's own.
extension Publisher {
    func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
        map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
    }

    func unwrap<T>() -> AnyPublisher<T, Failure> where Output == T? {
        flatMap { value in value.publisher.setFailureType(to: Failure.self) }.eraseToAnyPublisher()
    }
}

extension Publishers {
    struct Countdown: Publisher {
        typealias Output = Int
        typealias Failure = Never
        let start: Int

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            subscriber.receive(subscription: Inner(start, subscriber))
        }

        private final class Inner<S: Subscriber>: Subscription where S.Input == Int {
            private var next: Int
            private var subscriber: S?

            init(_ start: Int, _ subscriber: S) {
                next = start
                self.subscriber = subscriber
            }

            func request(_ demand: Subscribers.Demand) {
                var demand = demand
                while demand > 0, next > 0, let subscriber {
                    demand -= 1
                    next -= 1
                    demand += subscriber.receive(next + 1)
                }
                if next == 0 { subscriber?.receive(completion: .finished) }
            }

            func cancel() { subscriber = nil }
        }
    }
}
