import TaskModel
import Testing

@testable import Store

struct RunPlacesTests {
    private static func id(_ number: UInt64) -> ULID { ULID(at: Timestamp(nanoseconds: 0), random: (0, number)) }

    @Test func `Runs in progress are found however many they are, and of the ended ones the newest`() {
        var places = RunPlaces()
        let most = UInt64(RunPlaces.mostEnded)
        for number in 0..<4 * most { places.remember(Self.id(number), at: Int64(number)) }
        #expect((0..<4 * most).allSatisfy { places[Self.id($0)] == Int64($0) })
        for number in 0..<3 * most { places.hasEnded(Self.id(number)) }
        #expect((0..<2 * most).allSatisfy { places[Self.id($0)] == nil })
        #expect((2 * most..<4 * most).allSatisfy { places[Self.id($0)] == Int64($0) })
    }

    @Test func `A run that was forgotten and is looked up again is as new as one that ends now`() {
        var places = RunPlaces()
        let most = UInt64(RunPlaces.mostEnded)
        for number in 0...most {
            places.remember(Self.id(number), at: Int64(number))
            places.hasEnded(Self.id(number))
        }
        #expect(places[Self.id(0)] == nil)
        places.remember(Self.id(0), at: 0)
        places.hasEnded(Self.id(0))
        #expect(places[Self.id(0)] == 0 && places[Self.id(1)] == nil && places[Self.id(2)] == 2)
    }
}
