import Manifests
import Testing

@Suite struct NameIndexTests {
    private static let names = (0..<10_000).map { "com.example.application\($0).refresh" }

    private static let index: NameIndex = {
        var index = NameIndex()
        for name in names { index.append(name) }
        return index
    }()

    @Test(
        "Out of ten thousand names that resemble each other the one that was meant is found, and few are compared",
        arguments: [
            ("com.example.application1234.refrsh", "com.example.application1234.refresh"),
            ("com.exmaple.application77.refresh", "com.example.application77.refresh"),
            ("com.example.application9999.Refresh", "com.example.application9999.refresh"),
            ("com.example.aplication5.refresh", "com.example.application5.refresh"),
        ])
    func near(_ word: String, _ meant: String) {
        #expect(Self.index.nearest(to: word) == meant)
        let compared = Self.index.candidates(for: word).count
        #expect((1...NameIndex.mostCompared).contains(compared))
    }

    @Test("No other name is nearer than those that are compared", arguments: [3, 5, 7])
    func agrees(_ length: Int) {
        let letters = ["a", "b", "C", "1", "2", ".", "_"]
        var index = NameIndex()
        var names: [String] = []
        var state = UInt64(length)
        for _ in 0..<100 {
            var name = ""
            for _ in 0..<length {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                name += letters[Int(state >> 33) % letters.count]
            }
            names.append(name)
            index.append(name)
        }
        for name in names {
            let word = String(name.reversed())
            // Equally near names may come in another order.
            let found = index.nearest(to: word)
            let expected = Nearest.match(for: word, among: names)
            #expect((found == nil) == (expected == nil), "\(word): \(found ?? "-"), \(expected ?? "-")")
        }
    }

    @Test("Words that are no typing mistakes are compared with nothing")
    func far() {
        #expect(Self.index.candidates(for: "").isEmpty)
        #expect(Self.index.candidates(for: String(repeating: "com.example.", count: 9)).isEmpty)
        #expect(Self.index.nearest(to: "zzz") == nil)
        #expect(Self.index.nearest(to: Self.names[3]) { _ in false } == nil)
    }
}
