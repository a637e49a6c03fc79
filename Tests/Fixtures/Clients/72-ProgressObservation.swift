// Runs in ClientNames.
import BackgroundTasks
import Combine
import Foundation

@MainActor
final class DownloadModel: ObservableObject {
    @Published private(set) var fraction = 0.0
    @Published private(set) var text = ""
    @Published private(set) var isDone = false
    private var observation: NSKeyValueObservation?
    private var observations: Set<NSKeyValueObservation> = []
    private var cancellables: Set<AnyCancellable> = []

    func start(_ url: URL) {
        let task = URLSession.shared.downloadTask(with: url) { file, response, error in
            print(file?.lastPathComponent ?? "-", response as? HTTPURLResponse as Any, error as Any)
        }
        observation = task.progress.observe(\.fractionCompleted, options: [.initial, .new]) {
            [weak self] progress, change in
            let fraction = change.newValue ?? progress.fractionCompleted
            Task { @MainActor in self?.fraction = fraction }
        }
        task.progress.observe(\.isFinished, options: .new) { [weak self] _, change in
            guard change.newValue == true else { return }
            DispatchQueue.main.async { self?.isDone = true }
        }.store(in: &observations)
        task.progress.publisher(for: \.completedUnitCount)
            .removeDuplicates()
            .map { ByteCountFormatter.string(fromByteCount: $0, countStyle: .file) }
            .receive(on: DispatchQueue.main)
            .sink { [weak self] in self?.text = $0 }
            .store(in: &cancellables)
        task.resume()
    }

    func stop() {
        observation?.invalidate()
        observation = nil
        observations.forEach { $0.invalidate() }
    }
}

extension NSKeyValueObservation {
    func store(in set: inout Set<NSKeyValueObservation>) { set.insert(self) }
}

final class Export: NSObject, ProgressReporting, @unchecked Sendable {
    let progress = Progress(totalUnitCount: 2)
    private var tokens: [NSKeyValueObservation] = []

    func run(_ task: BGContinuedProcessingTask) {
        task.progress.totalUnitCount = 100
        task.progress.addChild(progress, withPendingUnitCount: 100)
        tokens = [
            progress.observe(\.fractionCompleted) { progress, _ in
                task.updateTitle(task.title, subtitle: "\(Int(progress.fractionCompleted * 100)) %")
            },
            progress.observe(\.isCancelled, options: [.old, .new]) { _, change in
                print("cancelled", change.oldValue ?? false, change.newValue ?? false, change.kind == .setting)
            },
            progress.observe(\.localizedAdditionalDescription) { progress, _ in
                print(progress.localizedAdditionalDescription ?? "-")
            },
        ]
    }
}

func fractions(of progress: Progress) -> AsyncStream<Double> {
    AsyncStream { continuation in
        let token = progress.observe(\.fractionCompleted, options: [.initial, .new]) { _, change in
            if let value = change.newValue { continuation.yield(value) }
            if change.newValue == 1 { continuation.finish() }
        }
        continuation.onTermination = { _ in token.invalidate() }
    }
}

@MainActor func tryProgressObservation() async {
    let progress = Progress(totalUnitCount: 4)
    let stream = fractions(of: progress)
    for _ in 0..<4 { progress.completedUnitCount += 1 }
    var seen: [Double] = []
    for await value in stream { seen.append(value) }
    precondition(seen == [0, 0.25, 0.5, 0.75, 1], "\(seen)")
    var tokens: Set<NSKeyValueObservation> = []
    progress.observe(\.isCancelled) { _, _ in }.store(in: &tokens)
    progress.cancel()
    precondition(tokens.count == 1 && progress.isCancelled)
}
