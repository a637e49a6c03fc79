// Changed: a file of its own, because both listings define the class.
import Foundation

// サンプル用のOperation
class PrintOperation: Operation {
    let id: Int

    init(id: Int) {
        self.id = id
    }

    override func main() {
        print("this operation id is \(self.id)")
    }
}
