// Runs in ClientNames.
import SwiftUI

struct Habit: Identifiable, Hashable {
    let id: Int
    var name: String
    var days: Set<Int> = []
}

@MainActor
final class HabitModel: ObservableObject {
    @Published var habits: [Habit] = []
    @AppStorage("habit.goal") var goal = 5

    func mark(_ day: Int, of habit: Habit) {
        guard let index = habits.firstIndex(of: habit) else { return }
        withAnimation(.easeInOut(duration: 0.2)) { _ = habits[index].days.insert(day) }
    }

    func progress(of habit: Habit) -> Double { min(1, Double(habit.days.count) / Double(max(1, goal))) }
}

struct Ring: Shape {
    var progress: Double
    var animatableData: Double {
        get { progress }
        set { progress = newValue }
    }

    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.addArc(
            center: CGPoint(x: rect.midX, y: rect.midY), radius: min(rect.width, rect.height) / 2,
            startAngle: .degrees(-90), endAngle: .degrees(360 * progress - 90), clockwise: false)
        return path
    }
}

struct HabitRow: View {
    let habit: Habit
    @ObservedObject var model: HabitModel
    @State private var isPressed = false

    var body: some View {
        HStack(spacing: 12) {
            Ring(progress: model.progress(of: habit))
                .stroke(Color.green, style: StrokeStyle(lineWidth: 4, lineCap: .round))
                .frame(width: 32, height: 32)
                .animation(Animation.spring(), value: habit.days)
            VStack(alignment: .leading) {
                Text(habit.name).font(.headline).lineLimit(1)
                Text("\(habit.days.count) of \(model.goal)").foregroundColor(.secondary)
            }
            Spacer()
            Button(action: { model.mark(habit.days.count, of: habit) }, label: { Image(systemName: "checkmark") })
                .buttonStyle(PlainButtonStyle())
        }
        .padding(.vertical, 8)
        .contentShape(Rectangle())
        .accessibilityLabel(Text(habit.name))
    }
}

struct HabitList: View {
    @StateObject private var model = HabitModel()
    @Environment(\.colorScheme) private var colorScheme
    @State private var isAdding = false

    var body: some View {
        NavigationView {
            List(model.habits) { HabitRow(habit: $0, model: model) }
                .navigationTitle("Habits")
                .toolbar { Button("Add") { isAdding = true } }
        }
        .sheet(isPresented: $isAdding) { Text("New").padding() }
        .onReceive(model.$habits) { _ in }
    }
}

@MainActor
func tryHabitViews() {
    let model = HabitModel()
    model.habits = [Habit(id: 1, name: "Walk")]
    model.goal = 2
    model.mark(1, of: model.habits[0])
    precondition(model.habits[0].days == [1] && model.progress(of: model.habits[0]) == 0.5)
    precondition(UserDefaults.standard.integer(forKey: "habit.goal") == 2)
    let row = HabitRow(habit: model.habits[0], model: model)
    _ = row.body
    let controller = UIHostingController(rootView: HabitList())
    controller.loadViewIfNeeded()
    precondition(controller.isViewLoaded)
    let path = Ring(progress: 0.5).path(in: CGRect(x: 0, y: 0, width: 10, height: 10))
    precondition(!path.isEmpty)
}
