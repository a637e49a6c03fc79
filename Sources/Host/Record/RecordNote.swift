import Record
import Store
import TaskModel

/// A line of the turn's record that belongs to nobody's tables.
enum RecordNote {
    case journal(JournalKind, subject: String, text: String, at: Timestamp)
    case device([(ConditionName, String)], at: Timestamp)
    case override(ConditionName, String)
    case clearOverrides
}
