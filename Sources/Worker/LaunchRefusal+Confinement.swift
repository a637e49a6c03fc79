import Confining
import Wire

extension LaunchRefusal {
    init(_ error: ConfinementError) { self.init(code: error.code, sentence: error.description) }
}
