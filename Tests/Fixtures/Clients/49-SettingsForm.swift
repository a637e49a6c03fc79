import UIKit

// A form of settings built in code: controls with actions, fields with delegates, the keyboard's notifications.

protocol SettingsFormDelegate: AnyObject {
    func settingsForm(_ form: SettingsFormController, didChange interval: TimeInterval)
}

final class SettingsFormController: UIViewController, UITextFieldDelegate, UITextViewDelegate, UIScrollViewDelegate {
    weak var delegate: (any SettingsFormDelegate)?
    private let scrollView = UIScrollView()
    private let stackView = UIStackView()
    private let enabledSwitch = UISwitch()
    private let intervalSlider = UISlider(frame: .zero)
    private let nameField: UITextField = {
        let field = UITextField()
        field.placeholder = "Name"
        field.borderStyle = .roundedRect
        field.autocapitalizationType = .none
        field.autocorrectionType = .no
        field.keyboardType = .emailAddress
        field.returnKeyType = .done
        field.textContentType = .username
        field.clearButtonMode = .whileEditing
        return field
    }()
    private let notes = UITextView()
    private let spinner = UIActivityIndicatorView(style: .large)
    private let progressView = UIProgressView(progressViewStyle: .default)
    private lazy var saveButton = UIButton(
        configuration: .filled(), primaryAction: UIAction(title: "Save") { [unowned self] _ in self.save() })
    private let resetButton = UIButton(type: .system)
    private var bottomConstraint: NSLayoutConstraint?
    private var observers: [any NSObjectProtocol] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        view.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 0, leading: 20, bottom: 0, trailing: 20)
        stackView.axis = .vertical
        stackView.distribution = .equalSpacing
        stackView.spacing = UIStackView.spacingUseSystem
        stackView.isLayoutMarginsRelativeArrangement = true
        [enabledSwitch, intervalSlider, nameField, notes, progressView, saveButton, resetButton].forEach {
            stackView.addArrangedSubview($0)
        }
        stackView.setCustomSpacing(24, after: notes)
        view.addSubview(scrollView)
        scrollView.addSubview(stackView)
        scrollView.delegate = self
        view.addSubview(spinner)
        for subview in [scrollView, stackView, spinner] { subview.translatesAutoresizingMaskIntoConstraints = false }
        let bottom = scrollView.bottomAnchor.constraint(equalTo: view.safeAreaLayoutGuide.bottomAnchor)
        bottomConstraint = bottom
        NSLayoutConstraint.activate([
            scrollView.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            scrollView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            scrollView.trailingAnchor.constraint(equalTo: view.trailingAnchor), bottom,
            stackView.widthAnchor.constraint(equalTo: scrollView.frameLayoutGuide.widthAnchor),
            stackView.topAnchor.constraint(equalTo: scrollView.contentLayoutGuide.topAnchor, constant: 16),
            spinner.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            spinner.centerYAnchor.constraint(equalTo: view.centerYAnchor),
            notes.heightAnchor.constraint(equalToConstant: 120),
            NSLayoutConstraint(
                item: resetButton, attribute: .height, relatedBy: .equal, toItem: nil, attribute: .notAnAttribute,
                multiplier: 1, constant: 44),
        ])

        enabledSwitch.isOn = true
        enabledSwitch.onTintColor = .systemGreen
        enabledSwitch.addAction(
            UIAction { [weak self] action in
                guard let control = action.sender as? UISwitch else { return }
                self?.intervalSlider.isEnabled = control.isOn
            }, for: .valueChanged)
        intervalSlider.minimumValue = 15
        intervalSlider.maximumValue = 120
        intervalSlider.addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                self.delegate?.settingsForm(self, didChange: TimeInterval(self.intervalSlider.value) * 60)
            }, for: [.valueChanged, .touchUpInside])
        nameField.delegate = self
        notes.delegate = self
        notes.font = .preferredFont(forTextStyle: .body)
        notes.textContainerInset = .zero
        resetButton.setTitle("Reset", for: .normal)
        resetButton.setTitleColor(.systemRed, for: .normal)
        resetButton.titleLabel?.font = UIFont.boldSystemFont(ofSize: UIFont.buttonFontSize)
        resetButton.contentEdgeInsets = UIEdgeInsets(top: 8, left: 16, bottom: 8, right: 16)
        resetButton.showsMenuAsPrimaryAction = true
        resetButton.menu = UIMenu(
            title: "", options: .displayInline,
            children: [
                UIAction(title: "Everything", attributes: .destructive) { _ in },
                UIMenu(title: "Parts", children: [UIAction(title: "Name", state: .on) { _ in }]),
            ])
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Save"
        configuration.cornerStyle = .capsule
        configuration.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 20, bottom: 10, trailing: 20)
        saveButton.configuration = configuration
        view.addGestureRecognizer(UITapGestureRecognizer())
        watchKeyboard()
    }

    private func watchKeyboard() {
        let center = NotificationCenter.default
        observers.append(
            center.addObserver(forName: UIResponder.keyboardWillShowNotification, object: nil, queue: .main) { note in
                let frame = note.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? CGRect
                let duration = note.userInfo?[UIResponder.keyboardAnimationDurationUserInfoKey] as? Double ?? 0.25
                MainActor.assumeIsolated {
                    self.bottomConstraint?.constant = -(frame?.height ?? 0)
                    UIView.animate(withDuration: duration) { self.view.layoutIfNeeded() }
                }
            })
    }

    private func save() {
        spinner.startAnimating()
        UIView.animate(
            withDuration: 0.3, animations: { self.progressView.alpha = 0 },
            completion: { _ in self.spinner.stopAnimating() })
        UIPasteboard.general.string = nameField.text
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        textField.resignFirstResponder()
        return true
    }

    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { string.count < 30 }

    func textViewDidChange(_ textView: UITextView) { saveButton.isEnabled = !textView.text.isEmpty }

    func scrollViewDidScroll(_ scrollView: UIScrollView) { view.endEditing(true) }
}

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.shortcutItems = [
            UIApplicationShortcutItem(
                type: "save", localizedTitle: "Save", localizedSubtitle: nil,
                icon: UIApplicationShortcutIcon(systemImageName: "square.and.arrow.down"))
        ]
        let storyboard = UIStoryboard(name: "Main", bundle: nil)
        let form = storyboard.instantiateViewController(identifier: "Form") { SettingsFormController(coder: $0) }
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UINavigationController(rootViewController: form)
        window.makeKeyAndVisible()
        self.window = window
        if application.userInterfaceLayoutDirection == .rightToLeft { print("mirrored") }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let name = session.role == .carTemplateApplication ? "Car" : "Default"
        return UISceneConfiguration(name: name, sessionRole: session.role)
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(shortcutItem.type == "save") }

    override func buildMenu(with builder: any UIMenuBuilder) {
        super.buildMenu(with: builder)
        guard builder.system == UIMenuSystem.main else { return }
        builder.remove(menu: .services)
        builder.remove(menu: .format)
        builder.insertSibling(
            UIMenu(title: "Feeds", children: [UIAction(title: "Refresh") { _ in }]), afterMenu: .edit)
    }
}
