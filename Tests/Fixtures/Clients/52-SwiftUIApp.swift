import BackgroundTasks
import SwiftUI
import os

private let logger = Logger(subsystem: "com.example.weather", category: "app")

@main
struct WeatherApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) var appDelegate
    @Environment(\.scenePhase) private var scenePhase
    @StateObject private var store = ForecastStore()
    @AppStorage("hasSeenOnboarding") private var hasSeenOnboarding = false
    @AppStorage("unit") private var unit: TemperatureUnit = .celsius

    init() {
        UserDefaults.standard.register(defaults: ["hasSeenOnboarding": false])
    }

    var body: some Scene {
        WindowGroup {
            if hasSeenOnboarding {
                RootView()
                    .environmentObject(store)
                    .environment(\.locale, Locale(identifier: "en_GB"))
            } else {
                OnboardingView { hasSeenOnboarding = true }
            }
        }
        .backgroundTask(.appRefresh("com.example.weather.refresh")) {
            await scheduleNextRefresh()
            await store.refresh()
        }
        .backgroundTask(.urlSession("com.example.weather.download")) {
            await withTaskCancellationHandler {
                await store.finishDownloads()
            } onCancel: {
                logger.warning("out of time")
            }
        }
        .onChange(of: scenePhase) { oldPhase, newPhase in
            switch newPhase {
            case .background: scheduleNextRefresh()
            case .active where oldPhase == .inactive: Task { await store.refresh() }
            case .active, .inactive: break
            @unknown default: break
            }
        }
    }

    private func scheduleNextRefresh() {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.weather.refresh")
        request.earliestBeginDate = Calendar.current.date(byAdding: .hour, value: 1, to: .now)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            logger.error("cannot schedule: \(error.localizedDescription, privacy: .public)")
        }
    }
}

enum TemperatureUnit: String, CaseIterable, Identifiable {
    case celsius, fahrenheit
    var id: String { rawValue }
    var title: LocalizedStringKey { self == .celsius ? "Celsius" : "Fahrenheit" }
    var color: Color { self == .celsius ? .blue : Color(red: 0.9, green: 0.3, blue: 0.1) }
}

final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        true
    }
}

struct Forecast: Identifiable, Hashable {
    let id = UUID()
    var city: String
    var temperature: Double
    var isFavorite = false
}

@MainActor
final class ForecastStore: ObservableObject {
    @Published var forecasts: [Forecast] = []
    @Published private(set) var isLoading = false
    @Published var errorMessage: String?

    func refresh() async {
        isLoading = true
        defer { isLoading = false }
        forecasts = [Forecast(city: "London", temperature: 11.5)]
    }

    func finishDownloads() async {}

    func delete(at offsets: IndexSet) {
        for index in offsets.sorted(by: >) { forecasts.remove(at: index) }
    }
}

struct RootView: View {
    @EnvironmentObject private var store: ForecastStore
    @Environment(\.colorScheme) private var colorScheme
    @State private var selection = 0
    @State private var query = ""
    @State private var isShowingSettings = false
    @State private var path = NavigationPath()

    private var found: [Forecast] {
        query.isEmpty ? store.forecasts : store.forecasts.filter { $0.city.localizedCaseInsensitiveContains(query) }
    }

    var body: some View {
        TabView(selection: $selection) {
            NavigationStack(path: $path) {
                List {
                    Section("Cities") {
                        ForEach(found) { forecast in
                            NavigationLink(value: forecast) { ForecastRow(forecast: forecast) }
                                .swipeActions(edge: .trailing) {
                                    Button("Delete", role: .destructive) {
                                        store.forecasts.removeAll { $0.id == forecast.id }
                                    }
                                    .tint(.red)
                                }
                        }
                        .onDelete(perform: store.delete)
                    }
                    if store.isLoading {
                        ProgressView()
                    }
                }
                .listStyle(.insetGrouped)
                .navigationTitle("Weather")
                .navigationBarTitleDisplayMode(.large)
                .navigationDestination(for: Forecast.self) { ForecastView(forecast: $0) }
                .searchable(text: $query, prompt: "Search cities")
                .refreshable { await store.refresh() }
                .toolbar {
                    ToolbarItem(placement: .navigationBarTrailing) {
                        Button {
                            isShowingSettings = true
                        } label: {
                            Image(systemName: "gear")
                        }
                    }
                    ToolbarItemGroup(placement: .bottomBar) {
                        EditButton()
                        Spacer()
                    }
                }
                .sheet(isPresented: $isShowingSettings) { SettingsView() }
                .alert("Error", isPresented: .constant(store.errorMessage != nil)) {
                    Button("OK", role: .cancel) { store.errorMessage = nil }
                } message: {
                    Text(store.errorMessage ?? "")
                }
            }
            .tabItem { Label("Cities", systemImage: "list.bullet") }
            .tag(0)

            SettingsView()
                .tabItem { Label("Settings", systemImage: "gear") }
                .tag(1)
        }
        .task { await store.refresh() }
        .onReceive(NotificationCenter.default.publisher(for: UIApplication.didEnterBackgroundNotification)) { _ in
            logger.info("in the background")
        }
        .onChange(of: selection) { newValue in logger.debug("tab \(newValue)") }
        .preferredColorScheme(colorScheme)
    }
}

struct ForecastRow: View {
    let forecast: Forecast

    var body: some View {
        HStack(spacing: 12) {
            VStack(alignment: .leading) {
                Text(forecast.city).font(.headline)
                Text("\(forecast.temperature, specifier: "%.1f")°")
                    .font(.system(size: 13, weight: .medium, design: .rounded))
                    .foregroundStyle(.secondary)
            }
            Spacer()
            if forecast.isFavorite {
                Image(systemName: "star.fill").foregroundColor(.yellow)
            }
        }
        .padding(.vertical, 4)
        .contentShape(Rectangle())
        .accessibilityElement(children: .combine)
    }
}

struct ForecastView: View {
    @Environment(\.dismiss) private var dismiss
    let forecast: Forecast
    @State private var note = ""
    @FocusState private var isFocused: Bool

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Text(forecast.city).font(.largeTitle).bold() + Text(" now").italic()
                GeometryReader { proxy in
                    RoundedRectangle(cornerRadius: 12)
                        .fill(LinearGradient(colors: [.blue, .cyan], startPoint: .top, endPoint: .bottom))
                        .frame(width: proxy.size.width, height: 120)
                }
                TextField("Note", text: $note)
                    .textFieldStyle(.roundedBorder)
                    .focused($isFocused)
                    .submitLabel(.done)
                    .onSubmit { isFocused = false }
                Button("Close") { withAnimation(.easeInOut) { dismiss() } }
                    .buttonStyle(.borderedProminent)
                    .disabled(note.isEmpty)
            }
            .padding()
            .background(Color(.systemBackground))
        }
    }
}

struct SettingsView: View {
    @AppStorage("unit") private var unit = TemperatureUnit.celsius
    @AppStorage("notifications") private var notifications = true
    @AppStorage("interval") private var interval = 60.0
    @AppStorage("name", store: UserDefaults(suiteName: "group.com.example")) private var name: String?
    @State private var date = Date()

    var body: some View {
        Form {
            Section {
                Picker("Unit", selection: $unit) {
                    ForEach(TemperatureUnit.allCases) { unit in
                        Text(unit.title).tag(unit)
                    }
                }
                .pickerStyle(.segmented)
                Toggle("Notifications", isOn: $notifications)
                Toggle(isOn: $notifications) { Label("Sound", systemImage: "speaker") }
                Slider(value: $interval, in: 15...120, step: 15)
                Stepper("Every \(Int(interval)) minutes", value: $interval, in: 15...120, step: 15)
                DatePicker("From", selection: $date, displayedComponents: .date)
            } header: {
                Text("General")
            } footer: {
                Text("Version \(Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "?")")
                    .font(.caption)
            }
        }
    }
}

struct OnboardingView: View {
    let onFinish: () -> Void

    var body: some View {
        ZStack {
            Color.accentColor.ignoresSafeArea()
            VStack {
                Text("Welcome").font(.title)
                Button(action: onFinish) {
                    Text("Start")
                        .padding()
                        .frame(maxWidth: .infinity)
                        .background(Capsule().fill(.white))
                }
            }
        }
        .transition(.opacity)
    }
}

struct CardStyle: ViewModifier {
    var radius: CGFloat = 8
    func body(content: Content) -> some View {
        content.padding().background(.ultraThinMaterial).cornerRadius(radius).shadow(radius: 2)
    }
}

extension View {
    func card() -> some View { modifier(CardStyle()) }
}

struct PressedStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label.opacity(configuration.isPressed ? 0.5 : 1).scaleEffect(0.98)
    }
}

struct RootView_Previews: PreviewProvider {
    static var previews: some View {
        Group {
            RootView().environmentObject(ForecastStore())
            ForecastRow(forecast: Forecast(city: "Paris", temperature: 20)).card()
        }
    }
}
