// Runs in ClientNames.
import UIKit

struct Article: Hashable {
    let id: Int
    var title: String
    var isRead = false
}

final class ArticleCell: UITableViewCell {
    static var identifier: String { String(describing: self) }
    static var nib: UINib { UINib(nibName: identifier, bundle: Bundle(for: ArticleCell.self)) }

    func show(_ article: Article) {
        textLabel?.text = article.title
        textLabel?.font = article.isRead ? .preferredFont(forTextStyle: .body) : .boldSystemFont(ofSize: 17)
        accessoryType = article.isRead ? .checkmark : .none
    }
}

/// Articles in sections, whose cells size themselves.
final class ArticleTable: UITableViewController {
    enum Section: String, CaseIterable { case new = "New", old = "Old" }
    typealias Snapshot = NSDiffableDataSourceSnapshot<Section, Article>

    final class DataSource: UITableViewDiffableDataSource<Section, Article> {
        override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
            snapshot().sectionIdentifiers[section].rawValue
        }

        override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

        override func tableView(
            _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
        ) {
            guard editingStyle == .delete, let article = itemIdentifier(for: indexPath) else { return }
            var snapshot = snapshot()
            snapshot.deleteItems([article])
            apply(snapshot, animatingDifferences: true)
        }
    }

    private(set) lazy var dataSource = DataSource(tableView: tableView) { tableView, indexPath, article in
        let cell = tableView.dequeueReusableCell(withIdentifier: ArticleCell.identifier, for: indexPath)
        (cell as? ArticleCell)?.show(article)
        return cell
    }
    private(set) var selected: Article?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Articles"
        tableView.register(ArticleCell.self, forCellReuseIdentifier: ArticleCell.identifier)
        tableView.register(ArticleCell.nib, forCellReuseIdentifier: "nib")
        tableView.register(UINib(nibName: "Header", bundle: nil), forHeaderFooterViewReuseIdentifier: "header")
        tableView.tableHeaderView = Bundle.main.loadNibNamed("Banner", owner: self, options: nil)?.first as? UIView
        tableView.rowHeight = UITableView.automaticDimension
        tableView.estimatedRowHeight = 44
        tableView.tableFooterView = UIView()
        tableView.dataSource = dataSource
        dataSource.defaultRowAnimation = .fade
        refreshControl = UIRefreshControl()
        clearsSelectionOnViewWillAppear = true
        navigationItem.rightBarButtonItem = editButtonItem
    }

    func show(_ articles: [Article]) {
        var snapshot = Snapshot()
        snapshot.appendSections(Section.allCases)
        snapshot.appendItems(articles.filter { !$0.isRead }, toSection: .new)
        snapshot.appendItems(articles.filter(\.isRead), toSection: .old)
        dataSource.apply(
            snapshot, animatingDifferences: false, completion: { [weak self] in self?.refreshControl?.endRefreshing() })
    }

    override func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        UITableView.automaticDimension
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        selected = dataSource.itemIdentifier(for: indexPath)
    }
}

@MainActor
func tryArticleTable() {
    let table = ArticleTable(style: .grouped)
    table.loadViewIfNeeded()
    let articles = (1...4).map { Article(id: $0, title: "Article \($0)", isRead: $0 > 3) }
    table.show(articles)
    let tableView = table.tableView!
    precondition(tableView.numberOfSections == 2 && tableView.numberOfRows(inSection: 0) == 3)
    precondition(table.dataSource.tableView(tableView, titleForHeaderInSection: 1) == "Old")
    let path = IndexPath(row: 0, section: 1)
    let cell = table.dataSource.tableView(tableView, cellForRowAt: path) as? ArticleCell
    precondition(cell?.textLabel?.text == "Article 4" && cell?.accessoryType == .checkmark)
    precondition(ArticleCell.identifier == "ArticleCell" && ArticleCell.nib.instantiate(withOwner: nil).isEmpty)
    tableView.selectRow(at: path, animated: false, scrollPosition: .none)
    table.tableView(tableView, didSelectRowAt: path)
    precondition(table.selected == articles[3] && tableView.indexPathForSelectedRow == nil)
    table.dataSource.tableView(tableView, commit: .delete, forRowAt: path)
    precondition(table.dataSource.snapshot().numberOfItems == 3 && tableView.numberOfRows(inSection: 1) == 0)
    precondition(tableView.rowHeight == UITableView.automaticDimension)
    table.navigationItem.rightBarButtonItem?.primaryAction?.performWithSender(nil, target: nil)
    precondition(table.isEditing && tableView.isEditing && table.editButtonItem.title == "Done")
}
