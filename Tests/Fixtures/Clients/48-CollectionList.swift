import UIKit

// Lists built in code: a table of folders with a diffable data source, and a grid with a flow layout.

struct Feed: Hashable, Sendable {
    let id: Int
    var name: String
}

final class FeedCell: UITableViewCell {
    static let reuseIdentifier = "FeedCell"
    private let nameLabel = UILabel()
    private let badge = UILabel()

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        let stack = UIStackView(arrangedSubviews: [nameLabel, badge])
        stack.axis = .horizontal
        stack.spacing = 8
        stack.alignment = .center
        stack.translatesAutoresizingMaskIntoConstraints = false
        contentView.addSubview(stack)
        nameLabel.font = UIFontMetrics(forTextStyle: .headline).scaledFont(
            for: .systemFont(ofSize: 17, weight: .semibold))
        nameLabel.adjustsFontForContentSizeCategory = true
        badge.setContentHuggingPriority(.required, for: .horizontal)
        badge.setContentCompressionResistancePriority(.defaultHigh + 1, for: .horizontal)
        NSLayoutConstraint.activate([
            stack.leadingAnchor.constraint(equalTo: contentView.layoutMarginsGuide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: contentView.layoutMarginsGuide.trailingAnchor),
            stack.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 12),
            stack.bottomAnchor.constraint(lessThanOrEqualTo: contentView.bottomAnchor, constant: -12),
        ])
        let height = contentView.heightAnchor.constraint(greaterThanOrEqualToConstant: 44)
        height.priority = UILayoutPriority(999)
        height.isActive = true
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func prepareForReuse() {
        super.prepareForReuse()
        nameLabel.text = nil
    }

    func configure(with feed: Feed) {
        nameLabel.text = feed.name
        badge.text = "\(feed.id)"
    }
}

final class FeedListController: UITableViewController {
    enum Section: Int, CaseIterable { case today, older }
    private var dataSource: UITableViewDiffableDataSource<Section, Feed>!
    private let search = UITextField()

    init() { super.init(style: .insetGrouped) }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(FeedCell.self, forCellReuseIdentifier: FeedCell.reuseIdentifier)
        tableView.rowHeight = UITableView.automaticDimension
        tableView.estimatedRowHeight = 60
        tableView.tableFooterView = UIView(frame: .zero)
        tableView.separatorInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 16)
        tableView.contentInset.bottom = 20
        tableView.keyboardDismissMode = .onDrag
        refreshControl = UIRefreshControl()
        refreshControl?.addAction(UIAction { [weak self] _ in self?.load() }, for: .valueChanged)
        dataSource = UITableViewDiffableDataSource(tableView: tableView) { tableView, indexPath, feed in
            let cell = tableView.dequeueReusableCell(withIdentifier: FeedCell.reuseIdentifier, for: indexPath)
            (cell as? FeedCell)?.configure(with: feed)
            return cell
        }
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .add, primaryAction: UIAction { [weak self] _ in self?.share() })
        load()
    }

    private func load() {
        var snapshot = NSDiffableDataSourceSnapshot<Section, Feed>()
        snapshot.appendSections(Section.allCases)
        snapshot.appendItems([Feed(id: 1, name: "One"), Feed(id: 2, name: "Two")], toSection: .today)
        snapshot.appendItems([Feed(id: 3, name: "Three")])
        dataSource.apply(snapshot, animatingDifferences: view.window != nil)
        refreshControl?.endRefreshing()
    }

    private func share() {
        let sheet = UIActivityViewController(activityItems: ["https://example.com"], applicationActivities: nil)
        sheet.excludedActivityTypes = [.airDrop]
        present(sheet, animated: true)
        UIPasteboard.general.string = "https://example.com"
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        guard let feed = dataSource.itemIdentifier(for: indexPath) else { return }
        let grid = GridController(collectionViewLayout: UICollectionViewFlowLayout())
        grid.title = feed.name
        show(grid, sender: self)
    }

    override func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat { 28 }

    override func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let delete = UIContextualAction(style: .destructive, title: "Delete") { [weak self] _, _, done in
            guard let self, let feed = self.dataSource.itemIdentifier(for: indexPath) else { return done(false) }
            var snapshot = self.dataSource.snapshot()
            snapshot.deleteItems([feed])
            self.dataSource.apply(snapshot)
            done(true)
        }
        return UISwipeActionsConfiguration(actions: [delete])
    }

    override func scrollViewDidScroll(_ scrollView: UIScrollView) { title = "\(scrollView.contentOffset.y)" }
}

final class PictureCell: UICollectionViewCell {
    let imageView = UIImageView()

    override init(frame: CGRect) {
        super.init(frame: frame)
        contentView.addSubview(imageView)
        imageView.contentMode = .scaleAspectFill
        imageView.clipsToBounds = true
        imageView.translatesAutoresizingMaskIntoConstraints = false
        for (own, other) in [
            (imageView.topAnchor, contentView.topAnchor), (imageView.bottomAnchor, contentView.bottomAnchor),
        ] {
            own.constraint(equalTo: other).isActive = true
        }
        imageView.widthAnchor.constraint(equalTo: contentView.widthAnchor, multiplier: 0.5).isActive = true
    }

    required init?(coder aDecoder: NSCoder) { super.init(coder: aDecoder) }
}

final class GridController: UICollectionViewController, UICollectionViewDelegateFlowLayout {
    private typealias DataSource = UICollectionViewDiffableDataSource<Int, String>
    private lazy var dataSource = DataSource(collectionView: collectionView) { collectionView, indexPath, name in
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "picture", for: indexPath) as! PictureCell
        cell.imageView.image = UIImage(named: name)
        return cell
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        collectionView.register(PictureCell.self, forCellWithReuseIdentifier: "picture")
        collectionView.register(UINib(nibName: "Other", bundle: nil), forCellWithReuseIdentifier: "other")
        collectionView.backgroundColor = .systemBackground
        collectionView.delegate = self
        var snapshot = dataSource.snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(["sun", "moon"], toSection: 0)
        dataSource.apply(snapshot, animatingDifferences: true) { print("shown") }
    }

    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        let insets = UIEdgeInsets(top: 4, left: 4, bottom: 4, right: 4)
        let side = collectionView.bounds.inset(by: insets).width / 3
        return CGSize(width: side, height: side)
    }

    override func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
    }
}

/// A list of the modern kind.
final class ModernListController: UIViewController {
    private let collectionView = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    private var dataSource: UICollectionViewDiffableDataSource<Int, Feed>?

    override func loadView() { view = collectionView }

    override func viewDidLoad() {
        super.viewDidLoad()
        let registration = UICollectionView.CellRegistration<UICollectionViewListCell, Feed> { cell, _, feed in
            var content = cell.defaultContentConfiguration()
            content.text = feed.name
            content.textProperties.color = .secondaryLabel
            cell.contentConfiguration = content
        }
        dataSource = UICollectionViewDiffableDataSource<Int, Feed>(collectionView: collectionView) {
            collectionView, indexPath, feed in
            collectionView.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: feed)
        }
    }

    func show(_ feeds: [Feed]) async {
        var snapshot = NSDiffableDataSourceSnapshot<Int, Feed>()
        snapshot.appendSections([0])
        snapshot.appendItems(feeds)
        await dataSource?.apply(snapshot, animatingDifferences: false)
    }
}
