import Foundation
import Testing
import UIKit

@Suite("Interface types")
@MainActor struct InterfaceTests {
    @Test("a control calls its actions for their events, in their order, with itself as the sender")
    func actions() {
        let control = UISwitch()
        var calls: [String] = []
        control.addAction(
            UIAction(identifier: .init("first")) {
                calls.append($0.sender as? UISwitch === control ? "first" : "none")
            },
            for: [.valueChanged, .touchUpInside])
        let second = UIAction { _ in calls.append("second") }
        control.addAction(second, for: .valueChanged)
        control.setOn(true, animated: true)
        #expect(calls.isEmpty && control.isOn)
        control.sendActions(for: .valueChanged)
        control.sendActions(for: .touchUpInside)
        control.sendActions(for: .editingChanged)
        #expect(calls == ["first", "second", "first"] && second.sender == nil)
        #expect(control.allControlEvents == [.valueChanged, .touchUpInside])

        calls = []
        control.addAction(UIAction(identifier: .init("first")) { _ in calls.append("other") }, for: .editingChanged)
        control.removeAction(second, for: .valueChanged)
        control.sendActions(for: .valueChanged)
        control.sendActions(for: [.editingChanged, .touchUpInside])
        #expect(calls == ["other", "other"])
        control.removeAction(identifiedBy: .init("first"), for: .allEvents)
        #expect(control.allControlEvents == [])
    }

    @Test("a button does its primary action, and has the titles of its states")
    func button() {
        var count = 0
        let button = UIButton(type: .system, primaryAction: UIAction(title: "Save") { _ in count += 1 })
        button.sendActions(for: .touchUpInside)
        button.performPrimaryAction()
        #expect(count == 1 && button.currentTitle == "Save")
        button.setTitle("Saving", for: .disabled)
        button.isEnabled = false
        #expect(button.currentTitle == "Saving" && button.title(for: .highlighted) == "Save")
        #expect(button.state == .disabled)
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Given"
        let action = UIAction(title: "Action") { _ in }
        #expect(UIButton(configuration: configuration, primaryAction: action).configuration?.title == "Given")
        #expect(UIButton(configuration: .plain(), primaryAction: action).configuration?.title == "Action")
    }

    @Test("numbers of controls stay within their limits")
    func limits() {
        let slider = UISlider()
        slider.value = 4
        #expect(slider.value == 1)
        slider.minimumValue = 2
        #expect(slider.value == 2 && slider.maximumValue == 2)
        let stepper = UIStepper()
        stepper.value = 70
        stepper.maximumValue = 50
        #expect(stepper.value == 50)
        let progress = UIProgressView(progressViewStyle: .bar)
        progress.setProgress(-1, animated: false)
        #expect(progress.progress == 0)
        progress.observedProgress = Progress(totalUnitCount: 4)
        progress.observedProgress?.completedUnitCount = 3
        #expect(progress.progress == 0.75)
    }

    @Test("a stack keeps the order of its views apart from its parts")
    func stack() {
        let (first, second, third) = (UIView(), UIView(), UIView())
        let stack = UIStackView(arrangedSubviews: [first, second])
        stack.insertArrangedSubview(third, at: 0)
        #expect(stack.arrangedSubviews == [third, first, second] && stack.subviews == [first, second, third])
        stack.insertArrangedSubview(third, at: 1)
        #expect(stack.arrangedSubviews == [first, third, second] && stack.subviews == [first, second, third])
        stack.setCustomSpacing(12, after: third)
        #expect(stack.customSpacing(after: third) == 12)
        #expect(stack.customSpacing(after: first) == UIStackView.spacingUseDefault)
        stack.removeArrangedSubview(third)
        #expect(stack.arrangedSubviews == [first, second] && third.superview === stack)
        stack.addArrangedSubview(third)
        #expect(stack.customSpacing(after: third) == UIStackView.spacingUseDefault)
        first.removeFromSuperview()
        #expect(stack.arrangedSubviews == [second, third] && first.superview == nil)
        UIView().addSubview(second)
        #expect(stack.arrangedSubviews == [third] && stack.subviews == [third])
    }

    @Test("parts of a view are inserted, brought forward and found")
    func parts() {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 60))
        let (first, second, third) = (UIView(), UIView(), UIView())
        view.addSubview(first)
        view.insertSubview(second, belowSubview: first)
        view.insertSubview(third, aboveSubview: second)
        #expect(view.subviews == [second, third, first])
        view.bringSubviewToFront(second)
        view.sendSubviewToBack(first)
        #expect(view.subviews == [first, third, second])
        let inner = UILabel()
        inner.tag = 7
        third.addSubview(inner)
        #expect(view.viewWithTag(7) === inner && view.viewWithTag(8) == nil)
        #expect(inner.isDescendant(of: view) && !view.isDescendant(of: inner))
        #expect(view.center == CGPoint(x: 60, y: 50))
        view.bounds.size.width = 40
        view.center = .zero
        #expect(view.frame == CGRect(x: -20, y: -30, width: 40, height: 60))
    }

    @Test("a constraint is held by the nearest view that contains both sides, while it is active")
    func constraints() {
        let (outer, left, right) = (UIView(), UIView(), UIView())
        let label = UILabel()
        outer.addSubview(left)
        outer.addSubview(right)
        left.addSubview(label)
        let between = label.topAnchor.constraint(equalTo: right.safeAreaLayoutGuide.bottomAnchor, constant: -8)
        let height = label.heightAnchor.constraint(greaterThanOrEqualTo: label.widthAnchor, multiplier: 0.5)
        #expect(!between.isActive && between.firstItem === label && between.secondAttribute == .bottom)
        #expect(between.constant == -8 && height.multiplier == 0.5 && height.relation == .greaterThanOrEqual)
        NSLayoutConstraint.activate([between, height])
        #expect(outer.constraints == [between] && label.constraints == [height] && left.constraints.isEmpty)
        between.isActive = true
        #expect(outer.constraints.count == 1)
        label.removeFromSuperview()
        #expect(!between.isActive && outer.constraints.isEmpty && height.isActive)
        label.removeConstraint(height)
        #expect(!height.isActive && label.constraints.isEmpty)
        between.isActive = true
        #expect(!between.isActive)
    }

    @Test("insets are taken from a rectangle")
    func insets() throws {
        let insets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let inner = CGRect(x: 10, y: 10, width: 20, height: 20).inset(by: insets)
        #expect(inner == CGRect(x: 12, y: 11, width: 14, height: 16))
        #expect(UIEdgeInsets() == .zero && NSDirectionalEdgeInsets() == .zero && insets != .zero)
        #expect(try JSONDecoder().decode(UIEdgeInsets.self, from: JSONEncoder().encode(insets)) == insets)
        #expect(UILayoutPriority.required - 1 == UILayoutPriority(999))
    }

    @Test("a pasteboard keeps what it was last given")
    func pasteboard() {
        let board = UIPasteboard.withUniqueName()
        #expect(board.string == nil && !board.hasStrings && board.changeCount == 0)
        board.strings = ["one", "two"]
        #expect(board.string == "one" && board.numberOfItems == 2 && board.changeCount == 1)
        board.url = URL(string: "https://example.com")
        #expect(board.hasURLs && !board.hasStrings && board.changeCount == 2)
        #expect(UIPasteboard.general === UIPasteboard.general && UIPasteboard.general !== board)
    }

    @Test("a controller makes its view when it is first used")
    func controller() {
        final class Controller: UITableViewController {
            var loads = 0
            override func viewDidLoad() {
                super.viewDidLoad()
                loads += 1
            }
        }
        let controller = Controller(style: .grouped)
        #expect(!controller.isViewLoaded && controller.viewIfLoaded == nil && controller.loads == 0)
        #expect(controller.tableView.style == .grouped && controller.tableView.dataSource === controller)
        #expect(controller.tableView.delegate === controller)
        #expect((controller.tableView as UIScrollView).delegate === controller)
        #expect(controller.isViewLoaded && controller.loads == 1)
        let parent = UIViewController()
        parent.addChild(controller)
        #expect(parent.children == [controller] && controller.parent === parent)
        controller.removeFromParent()
        #expect(parent.children.isEmpty && controller.parent == nil)
    }

    @Test("a storyboard's controller is made by the creator, or by its initializer with a coder")
    func storyboard() {
        final class Controller: UIViewController {
            var source = "coder"
            convenience init?(coder: NSCoder, source: String) {
                self.init(coder: coder)
                self.source = source
            }
        }
        let storyboard = UIStoryboard(name: "Main", bundle: nil)
        let made = storyboard.instantiateViewController(identifier: "One") { Controller(coder: $0, source: "creator") }
        let other: Controller = storyboard.instantiateViewController(identifier: "One")
        #expect(made.source == "creator" && other.source == "coder")
        #expect(storyboard.instantiateInitialViewController() == nil)
    }
}
