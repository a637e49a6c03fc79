import BackgroundTasks
import Combine
import SwiftUI

@main
struct NotesApp: App {
    @State private var library = Library()
    @Environment(\.scenePhase) var phase

    var body: some Scene {
        WindowGroup("Notes", id: "notes") {
            NotesView(library: library)
                .environment(library)
        }
        .onChange(of: phase) { newPhase in
            if newPhase == .background { library.save() }
        }
        .backgroundTask(.appRefresh("com.example.notes.sync")) { await library.sync() }
        .backgroundTask(.urlSession(matching: { $0.hasPrefix("com.example.notes.") })) { (identifier: String) in
            await library.finish(identifier)
        }

        #if os(macOS)
        Settings { EmptyView() }
        #endif
    }
}

struct Note: Identifiable, Codable, Equatable {
    var id = UUID()
    var title: String
    var isDone = false
    var created = Date()
}

@MainActor @Observable
final class Library {
    var notes: [Note] = []
    var isSyncing = false
    @ObservationIgnored private var pending: Task<Void, Never>?

    func sync() async {
        isSyncing = true
        defer { isSyncing = false }
        try? await Task.sleep(nanoseconds: 1)
        notes.append(Note(title: "New"))
    }

    func finish(_ identifier: String) async {}

    func save() { UserDefaults.standard.set(try? JSONEncoder().encode(notes), forKey: "notes") }
}

private struct AccentKey: EnvironmentKey {
    static let defaultValue = Color.orange
}

extension EnvironmentValues {
    var accent: Color {
        get { self[AccentKey.self] }
        set { self[AccentKey.self] = newValue }
    }
}

struct HeightKey: PreferenceKey {
    static let defaultValue: CGFloat = 0
    static func reduce(value: inout CGFloat, nextValue: () -> CGFloat) { value = max(value, nextValue()) }
}

struct NotesView: View {
    @Bindable var library: Library
    @Environment(\.accent) private var accent
    @Environment(\.openURL) private var openURL
    @State private var height: CGFloat = 0
    @State private var edited: Note?
    @State private var isAsking = false

    var body: some View {
        NavigationView {
            List {
                ForEach($library.notes) { $note in
                    NoteRow(note: $note)
                        .contextMenu { Button("Edit") { edited = note } }
                }
                .onDelete { library.notes.remove(atOffsets: $0) }
                .onMove { library.notes.move(fromOffsets: $0, toOffset: $1) }
            }
            .overlay {
                if library.notes.isEmpty {
                    ContentUnavailableView("No notes", systemImage: "note")
                }
            }
            .background(GeometryReader { Color.clear.preference(key: HeightKey.self, value: $0.size.height) })
            .onPreferenceChange(HeightKey.self) { [$height] in $height.wrappedValue = $0 }
            .navigationBarTitle("Notes", displayMode: .inline)
            .navigationBarItems(trailing: Button(action: { isAsking.toggle() }) { Image(systemName: "plus") })
            .confirmationDialog("Sure?", isPresented: $isAsking, titleVisibility: .visible) {
                Button("Yes", role: .destructive) { library.notes = [] }
            }
            .sheet(item: $edited) { note in Text(note.title).presentationDetents([.medium, .large]) }
        }
        .navigationViewStyle(.stack)
        .environment(\.accent, .purple)
        .task(id: library.notes.count) { await library.sync() }
        .onAppear(perform: library.save)
        .animation(.default, value: library.notes)
    }
}

struct NoteRow: View {
    @Binding var note: Note

    var body: some View {
        switch note.isDone {
        case true: Text(note.title).strikethrough()
        case false:
            Toggle(isOn: $note.isDone) {
                Text(verbatim: note.title)
                Text(note.created, style: .relative)
            }
            .toggleStyle(.switch)
        }
    }
}

struct WebView: UIViewRepresentable {
    final class Coordinator: NSObject {}
    func makeCoordinator() -> Coordinator { Coordinator() }
    func makeUIView(context: Context) -> UIView { UIView() }
    func updateUIView(_ uiView: UIView, context: Context) { _ = context.coordinator }
}

struct Arrow: Shape {
    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.move(to: CGPoint(x: rect.midX, y: rect.minY))
        path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        path.closeSubpath()
        return path
    }
}

@MainActor func makeController() -> UIViewController {
    UIHostingController(rootView: AnyView(Arrow().stroke(Color.red, lineWidth: 2)))
}
