// Runs in ClientNames.
import Combine
import Foundation

/// Signs in, keeps the session, and tells those who observe it.
final class SessionStore: ObservableObject {
    enum Failure: Error, Equatable { case empty, denied }
    struct Session: Equatable {
        let user: String
    }

    @Published var name = ""
    @Published var password = ""
    @Published private(set) var session: Session?
    @Published private(set) var message: String?
    @Published private(set) var canSignIn = false
    private let attempts = PassthroughSubject<Void, Never>()
    private var cancellables = Set<AnyCancellable>()

    init() {
        Publishers.CombineLatest($name, $password)
            .map { !$0.isEmpty && $1.count >= 4 }
            .removeDuplicates()
            .assign(to: &$canSignIn)

        attempts
            .flatMap { [unowned self] in
                self.signIn(name: self.name, password: self.password)
                    .map { Result<Session, Failure>.success($0) }
                    .catch { Just(.failure($0)) }
            }
            .sink { [weak self] result in
                switch result {
                case .success(let session): self?.session = session
                case .failure(let error): self?.message = "\(error)"
                }
            }
            .store(in: &cancellables)
    }

    func signIn(name: String, password: String) -> Future<Session, Failure> {
        Future { promise in
            if name.isEmpty { return promise(.failure(.empty)) }
            promise(password == "open" ? .success(Session(user: name)) : .failure(.denied))
        }
    }

    func attempt() { attempts.send() }
}

/// What a screen shows of it.
final class SessionModel: ObservableObject {
    @Published private(set) var title = ""
    let store: SessionStore
    private var subscription: AnyCancellable?

    init(store: SessionStore) {
        self.store = store
        subscription = Publishers.Merge(
            store.$session.compactMap { $0?.user }, store.$message.compactMap { $0 }.map { "Error: \($0)" }
        )
        .sink { [weak self] in self?.title = $0 }
    }
}

@MainActor
func trySessionStore() async throws {
    let store = SessionStore()
    let model = SessionModel(store: store)
    var changes = 0
    let subscription = store.objectWillChange.sink { changes += 1 }
    store.name = "ada"
    precondition(!store.canSignIn && changes > 0)
    store.password = "wrong"
    precondition(store.canSignIn)
    store.attempt()
    precondition(store.session == nil && model.title == "Error: denied")
    store.password = "open"
    store.attempt()
    precondition(store.session == SessionStore.Session(user: "ada") && model.title == "ada")
    subscription.cancel()

    let session = try await store.signIn(name: "bob", password: "open").value
    precondition(session.user == "bob")
    var failure: SessionStore.Failure?
    do { _ = try await store.signIn(name: "", password: "").value } catch { failure = error as? SessionStore.Failure }
    precondition(failure == .empty)
    var pairs: [String] = []
    let zipped = Publishers.Zip([1, 2, 3].publisher, ["a", "b"].publisher).sink { pairs.append("\($0)\($1)") }
    precondition(pairs == ["1a", "2b"])
    zipped.cancel()
}
