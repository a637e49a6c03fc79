// Runs in ClientNames.
import UIKit

/// A profile that is edited: fields, a switch and buttons in a stack, and a sheet to share it.
final class ProfileScreen: UIViewController, UITextFieldDelegate, UITextViewDelegate {
    struct Profile: Equatable {
        var name = ""
        var about = ""
        var isPublic = false
    }

    private enum Metrics {
        static let insets = UIEdgeInsets(top: 16, left: 20, bottom: 16, right: 20)
        static let font = UIFontMetrics(forTextStyle: .body).scaledFont(for: .systemFont(ofSize: 16))
    }

    private(set) var profile = Profile()
    private let stackView: UIStackView = {
        let stackView = UIStackView()
        stackView.axis = .vertical
        stackView.alignment = .fill
        stackView.distribution = .fill
        stackView.spacing = 12
        stackView.isLayoutMarginsRelativeArrangement = true
        stackView.layoutMargins = Metrics.insets
        stackView.translatesAutoresizingMaskIntoConstraints = false
        return stackView
    }()
    let nameField = UITextField()
    let aboutView = UITextView(frame: .zero, textContainer: nil)
    let publicSwitch = UISwitch()
    let saveButton = UIButton(type: .custom)
    lazy var copyButton = UIButton(
        type: .system,
        primaryAction: UIAction(title: "Copy") { [weak self] _ in
            UIPasteboard.general.string = self?.nameField.text
        })
    private(set) var stackHeight: NSLayoutConstraint!

    override func viewDidLoad() {
        super.viewDidLoad()
        nameField.delegate = self
        nameField.font = Metrics.font
        nameField.placeholder = NSLocalizedString("Name", comment: "")
        nameField.attributedPlaceholder = NSAttributedString(
            string: "Name", attributes: [.foregroundColor: UIColor.gray])
        nameField.addAction(UIAction { [unowned self] _ in edited() }, for: .editingChanged)
        aboutView.delegate = self
        aboutView.font = Metrics.font
        aboutView.textContainerInset = UIEdgeInsets.zero
        aboutView.textContainer.lineFragmentPadding = 0
        aboutView.isScrollEnabled = false
        aboutView.dataDetectorTypes = [.link, .phoneNumber]
        let paragraph = NSMutableParagraphStyle()
        paragraph.lineSpacing = UIFontMetrics.default.scaledValue(for: 2, compatibleWith: traitCollection)
        paragraph.alignment = .justified
        aboutView.typingAttributes = [.font: Metrics.font, .paragraphStyle: paragraph]
        publicSwitch.setOn(false, animated: false)
        publicSwitch.addAction(UIAction { [unowned self] _ in edited() }, for: .valueChanged)
        saveButton.setTitle("Save", for: .normal)
        saveButton.setTitleColor(.white, for: .normal)
        saveButton.setTitleColor(UIColor.white.withAlphaComponent(0.5), for: .disabled)
        saveButton.titleEdgeInsets = UIEdgeInsets(top: 0, left: 8, bottom: 0, right: 8)
        saveButton.backgroundColor = .systemBlue
        saveButton.isEnabled = false
        saveButton.addAction(UIAction(handler: { [unowned self] _ in view.endEditing(true) }), for: .touchUpInside)

        view.addSubview(stackView)
        [nameField, aboutView, publicSwitch, saveButton, copyButton].forEach(stackView.addArrangedSubview(_:))
        stackHeight = stackView.heightAnchor.constraint(lessThanOrEqualTo: view.heightAnchor, multiplier: 0.5)
        stackHeight.priority = .defaultHigh
        NSLayoutConstraint.activate(
            [
                stackView.topAnchor.constraint(
                    equalToSystemSpacingBelow: view.safeAreaLayoutGuide.topAnchor, multiplier: 1),
                stackView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
                stackView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
                saveButton.heightAnchor.constraint(equalToConstant: 48), stackHeight,
            ])
    }

    private func edited() {
        profile = Profile(name: nameField.text ?? "", about: aboutView.text, isPublic: publicSwitch.isOn)
        saveButton.isEnabled = nameField.hasText
    }

    func textViewDidChange(_ textView: UITextView) { edited() }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        aboutView.becomeFirstResponder()
        return false
    }

    func share(from button: UIButton) -> UIActivityViewController {
        let sheet = UIActivityViewController(
            activityItems: [profile.name, URL(string: "https://example.com")!], applicationActivities: nil)
        sheet.excludedActivityTypes = [.addToReadingList, .assignToContact]
        sheet.completionWithItemsHandler = { type, completed, _, error in
            print(type?.rawValue ?? "none", completed, error?.localizedDescription ?? "")
        }
        sheet.popoverPresentationController?.sourceView = button
        sheet.popoverPresentationController?.sourceRect = button.bounds
        present(sheet, animated: true)
        return sheet
    }
}

@MainActor
func tryProfileScreen() {
    let screen = ProfileScreen()
    precondition(!screen.isViewLoaded)
    screen.loadViewIfNeeded()
    precondition(screen.stackHeight.isActive && screen.stackHeight.multiplier == 0.5)
    precondition(screen.view.constraints.contains(screen.stackHeight))
    precondition(screen.saveButton.constraints.first?.constant == 48)
    screen.nameField.text = "Ada"
    screen.aboutView.text = "Counts"
    screen.publicSwitch.isOn = true
    precondition(!screen.saveButton.isEnabled)
    screen.nameField.sendActions(for: .editingChanged)
    precondition(screen.profile == ProfileScreen.Profile(name: "Ada", about: "Counts", isPublic: true))
    precondition(screen.saveButton.isEnabled && !screen.textFieldShouldReturn(screen.nameField))
    screen.copyButton.sendActions(for: .primaryActionTriggered)
    precondition(UIPasteboard.general.string == "Ada" && UIPasteboard.general.hasStrings)
    let paragraph = screen.aboutView.typingAttributes[.paragraphStyle] as? NSParagraphStyle
    let copy = paragraph?.mutableCopy() as? NSMutableParagraphStyle
    copy?.lineSpacing = 9
    precondition(paragraph?.lineSpacing == 2 && paragraph?.alignment == .justified && copy?.alignment == .justified)
    let sheet = screen.share(from: screen.copyButton)
    precondition(sheet.excludedActivityTypes?.count == 2)
    let insets = CGRect(x: 0, y: 0, width: 100, height: 50).inset(
        by: UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
    precondition(insets == CGRect(x: 2, y: 1, width: 94, height: 46))
}
