import Manifests
import Serving
import TaskModel
import Testing

@Suite("A schedule in English")
struct ScheduleWordsTests {
    static let rows = [
        ("* * * * *", "every minute"),
        ("0 * * * *", "every hour"),
        ("5 * * * *", "every hour at minute 5"),
        ("*/15 * * * *", "every 15 minutes"),
        ("0 */6 * * *", "at 00:00, 06:00, 12:00 and 18:00"),
        ("0 */2 * * *", "every 2 hours"),
        ("30 2 * * *", "at 02:30"),
        ("30 2 * * MON-FRI", "at 02:30 on Monday to Friday"),
        ("0 9,17 * * 0", "at 09:00 and 17:00 on Sunday"),
        ("0 0 1 * *", "at 00:00 on day 1 of the month"),
        ("0 0 1,15 * MON", "at 00:00 on day 1 and 15 of the month and on Monday"),
        ("0 0 */10 * MON", "at 00:00 on day 1, 11, 21 and 31 of the month, if that is Monday"),
        ("0 3 * 6-8 SAT,SUN", "at 03:00 on Saturday and Sunday in June to August"),
        ("*/20 8-17 * * MON-FRI", "every 20 minutes, in the hours 08 to 17 on Monday to Friday"),
        ("* 8 * * *", "every minute, in the hours 08"),
        ("15 0-11 * * *", "in the hours 00 to 11 at minute 15"),
    ]

    @Test("says what the five fields mean", arguments: rows)
    func calendar(_ row: (String, String)) throws {
        #expect(ScheduleWords.text(try CalendarSyntax.parse(row.0)) == row.1)
    }

    @Test("says how often")
    func every() {
        #expect(ScheduleWords.text(Schedule(every: .minutes(90))) == "every 1 h 30 m")
        #expect(ScheduleWords.text(Schedule(every: .seconds(86_400))) == "every 1 d")
    }
}
