import Foundation
import SwiftUI
import Testing

@Suite("SwiftUI")
@MainActor
struct SwiftUITests {
    private struct Item: Identifiable, Equatable {
        var id: Int
        var name = ""
    }
    private enum Unit: String { case metre, foot }
    private enum Level: Int { case low, high }
    private final class Model: ObservableObject {
        @Published var count = 0
    }
    @Observable fileprivate final class Seen {
        var text = ""
    }
    private struct Holder {
        @State var number = 1
        @State var name: String?
        @StateObject var model = Model()
    }

    @Test("a state keeps what it is set to, for all copies of what has it, and through its bindings")
    func state() {
        let holder = Holder()
        let copy = holder
        holder.number = 2
        copy.$number.wrappedValue += 3
        #expect(holder.number == 5 && copy.number == 5 && Holder().number == 1)
        holder.name = "a"
        #expect(copy.name == "a" && Holder().name == nil)
        copy.$model.count.wrappedValue = 7
        #expect(holder.model === copy.model && holder.model.count == 7)
    }

    @Test("an object of a property is made when it is first used, once")
    func stateObject() {
        var made = 0
        func make() -> Model {
            made += 1
            return Model()
        }
        let wrapper = StateObject(wrappedValue: make())
        #expect(made == 0)
        #expect(wrapper.wrappedValue === wrapper.wrappedValue && made == 1)
    }

    @Test("bindings reach parts, elements and what may be nil")
    func bindings() throws {
        let items = State(initialValue: [Item(id: 1), Item(id: 2)])
        let binding = items.projectedValue
        for item in binding { item.name.wrappedValue = "of \(item.id)" }
        #expect(items.wrappedValue.map(\.name) == ["of 1", "of 2"])
        binding[1].wrappedValue.name = "other"
        #expect(items.wrappedValue[1].name == "other" && binding.count == 2)
        let constant = Binding.constant(3)
        constant.wrappedValue = 4
        #expect(constant.wrappedValue == 3)
        let perhaps = State<Int?>(initialValue: nil)
        #expect(Binding(perhaps.projectedValue) == nil)
        perhaps.wrappedValue = 1
        let known = try #require(Binding(perhaps.projectedValue))
        known.wrappedValue = 2
        #expect(perhaps.wrappedValue == 2)
        perhaps.wrappedValue = nil
        #expect(known.wrappedValue == 2, "the last value")
        let back = Binding<Int?>(constant)
        back.wrappedValue = nil
        #expect(back.wrappedValue == 3)
        let seen = Seen()
        Bindable(seen).text.wrappedValue = "new"
        #expect(seen.text == "new")
    }

    @Test("values of the user defaults are read and written, as what they are")
    func appStorage() throws {
        let name = "org.taskhost.tests.\(UUID())"
        let store = try #require(UserDefaults(suiteName: name))
        defer { store.removePersistentDomain(forName: name) }
        let flag = AppStorage(wrappedValue: true, "flag", store: store)
        let number = AppStorage(wrappedValue: 5, "number", store: store)
        let double = AppStorage(wrappedValue: 0.5, "double", store: store)
        let text = AppStorage(wrappedValue: "none", "text", store: store)
        let url = AppStorage(wrappedValue: URL(filePath: "/a"), "url", store: store)
        let data = AppStorage(wrappedValue: Data(), "data", store: store)
        let unit = AppStorage(wrappedValue: Unit.metre, "unit", store: store)
        let level = AppStorage(wrappedValue: Level.low, "level", store: store)
        let name2 = AppStorage<String?>("name", store: store)
        let unit2 = AppStorage<Unit?>("unit", store: store)
        #expect(
            flag.wrappedValue && number.wrappedValue == 5 && double.wrappedValue == 0.5 && text.wrappedValue == "none")
        #expect(unit.wrappedValue == .metre && level.wrappedValue == .low && data.wrappedValue.isEmpty)
        #expect(name2.wrappedValue == nil && unit2.wrappedValue == nil && store.object(forKey: "flag") == nil)
        flag.wrappedValue = false
        number.projectedValue.wrappedValue += 1
        double.wrappedValue = 2.25
        text.wrappedValue = "some"
        url.wrappedValue = URL(string: "https://example.com/x")!
        data.wrappedValue = Data([1, 2])
        unit.wrappedValue = .foot
        level.wrappedValue = .high
        name2.wrappedValue = "n"
        #expect(!flag.wrappedValue && store.bool(forKey: "flag") == false && number.wrappedValue == 6)
        #expect(store.integer(forKey: "number") == 6 && store.double(forKey: "double") == 2.25)
        #expect(store.string(forKey: "text") == "some" && store.url(forKey: "url") == url.wrappedValue)
        #expect(
            url.wrappedValue.absoluteString == "https://example.com/x" && store.data(forKey: "data") == Data([1, 2]))
        #expect(store.string(forKey: "unit") == "foot" && unit2.wrappedValue == .foot)
        #expect(store.integer(forKey: "level") == 1 && level.wrappedValue == .high)
        #expect(store.string(forKey: "name") == "n")
        name2.wrappedValue = nil
        #expect(store.object(forKey: "name") == nil && name2.wrappedValue == nil)
        store.set(3, forKey: "double")
        store.set(2.5, forKey: "number")
        #expect(double.wrappedValue == 3 && number.wrappedValue == 5)
        store.set("neither", forKey: "unit")
        #expect(unit.wrappedValue == .metre && unit2.wrappedValue == nil)
    }

    private struct Key: EnvironmentKey { static let defaultValue = 1 }

    @Test("an environment has the defaults of its keys, and what is set")
    func environment() {
        var values = EnvironmentValues()
        #expect(values[Key.self] == 1 && values.scenePhase == .background)
        values[Key.self] = 2
        #expect(values[Key.self] == 2)
        #expect(Environment(\.isEnabled).wrappedValue && Environment<Seen?>(Seen.self).wrappedValue == nil)
        #expect(ScenePhase.background < .inactive && ScenePhase.inactive < .active)
    }

    @Test("elements are removed and moved by their offsets")
    func offsets() {
        var letters = Array("abcdef")
        letters.remove(atOffsets: [0, 3, 4])
        #expect(letters == Array("bcf"))
        letters = Array("abcdef")
        letters.move(fromOffsets: [1, 4], toOffset: 3)
        #expect(letters == Array("acbedf"))
        letters.move(fromOffsets: [0], toOffset: 6)
        #expect(letters == Array("cbedfa"))
        letters.move(fromOffsets: [5], toOffset: 0)
        #expect(letters == Array("acbedf"))
    }

    @Test("texts keep their strings, and views the values that they are made of")
    func views() {
        let count = 2
        #expect(Text("\(count) items, \(1.5, specifier: "%.2f")") == Text(verbatim: "2 items, 1.50"))
        #expect(Text("a").bold() + Text(verbatim: "b").italic() == Text("ab"))
        #expect(Color.red.opacity(0.5) != .red && Color(red: 1, green: 0, blue: 0) == Color(red: 1, green: 0, blue: 0))
        #expect(Gradient(colors: [.red, .green, .blue]).stops.map(\.location) == [0, 0.5, 1])
        #expect(Angle.degrees(180) == .radians(.pi) && Edge.Set.all.contains(.leading))
        var path = NavigationPath([1, 2])
        path.append("three")
        path.removeLast(2)
        #expect(path == NavigationPath([1]))
        var calls = 0
        _ = ForEach(0..<3) { number in
            let _ = calls += number
            Text("\(number)")
        }.onAppear { calls += 1 }
        #expect(calls == 0)
    }
}
