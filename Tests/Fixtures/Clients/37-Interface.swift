import BackgroundTasks
import UIKit
import os

/// A screen of an application's debugging menu, as it stands beside its background code.
final class TasksViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    private let tableView = UITableView(frame: .zero, style: .plain)
    private let label = UILabel()
    private let (other, cell) = (UITableView(), UITableViewCell(frame: .zero))
    private let imageView = UIImageView(image: UIImage(named: "clock"))
    private var identifiers: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        label.text = "Pending tasks"
        label.textColor = UIColor(red: 0.2, green: 0.4, blue: 0.6, alpha: 1)
        label.font = UIFont.systemFont(ofSize: 17)
        label.textAlignment = .center
        label.numberOfLines = 0
        tableView.dataSource = self
        tableView.delegate = self
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
        view.addSubview(tableView)
        view.addSubview(label)
        view.addSubview(imageView)
        navigationItem.title = "Tasks"
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            title: "Run", image: nil, primaryAction: UIAction(title: "Run") { _ in print("run") }, menu: nil)
        let appearance = UINavigationBarAppearance()
        appearance.configureWithOpaqueBackground()
        appearance.backgroundColor = .white
        UINavigationBar.appearance().standardAppearance = appearance
        navigationController?.navigationBar.prefersLargeTitles = true
        navigationController?.navigationBar.tintColor = UIColor.red.withAlphaComponent(0.5)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        BGTaskScheduler.shared.getPendingTaskRequests { requests in
            DispatchQueue.main.async { [weak self] in
                self?.identifiers = requests.map(\.identifier)
                self?.tableView.reloadData()
            }
        }
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { identifiers.count }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
        cell.textLabel?.text = identifiers[indexPath.row]
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        let alert = UIAlertController(title: "Cancel?", message: identifiers[indexPath.row], preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "No", style: .cancel, handler: nil))
        alert.addAction(
            UIAlertAction(title: "Yes", style: .destructive) { [identifiers] _ in
                BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifiers[indexPath.row])
            })
        present(alert, animated: true, completion: nil)
        navigationController?.pushViewController(UIViewController(), animated: true)
        dismiss(animated: false) { print("free", os_proc_available_memory()) }
    }
}
