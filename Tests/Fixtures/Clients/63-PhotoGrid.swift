// Runs in ClientNames.
import CoreGraphics
import UIKit

final class PhotoCell: UICollectionViewCell {
    let label = UILabel()

    override init(frame: CGRect) {
        super.init(frame: frame)
        contentView.addSubview(label)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        contentView.addSubview(label)
    }

    override var isSelected: Bool {
        didSet { contentView.backgroundColor = isSelected ? .systemBlue : .clear }
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        label.text = nil
    }
}

final class HeaderView: UICollectionReusableView {
    let label = UILabel()
}

/// Columns of equal width.
final class ColumnLayout: UICollectionViewLayout {
    var columns = 2
    private var attributes: [UICollectionViewLayoutAttributes] = []
    private var height: CGFloat = 0

    override var collectionViewContentSize: CGSize { CGSize(width: collectionView?.bounds.width ?? 0, height: height) }

    override func prepare() {
        super.prepare()
        guard let collectionView else { return }
        let side = collectionView.bounds.width / CGFloat(columns)
        attributes = (0..<collectionView.numberOfItems(inSection: 0)).map { item in
            let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: item, section: 0))
            let origin = CGPoint(x: CGFloat(item % columns) * side, y: CGFloat(item / columns) * side)
            attributes.frame = CGRect(origin: origin, size: CGSize(width: side, height: side)).insetBy(dx: 1, dy: 1)
            return attributes
        }
        height = attributes.map(\.frame.maxY).max() ?? 0
    }

    override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
        attributes.filter { $0.frame.intersects(rect) }
    }

    override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        attributes[indexPath.item]
    }

    override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
        newBounds.width != collectionView?.bounds.width
    }
}

final class PhotoGrid: UIViewController {
    enum Section { case main }
    private(set) var collectionView: UICollectionView!
    private(set) var dataSource: UICollectionViewDiffableDataSource<Section, String>!

    override func viewDidLoad() {
        super.viewDidLoad()
        let layout = UICollectionViewFlowLayout()
        layout.scrollDirection = .vertical
        layout.minimumInteritemSpacing = 2
        layout.headerReferenceSize = CGSize(width: 0, height: 30)
        collectionView = UICollectionView(
            frame: CGRect(x: 0, y: 0, width: 300, height: 600), collectionViewLayout: layout)
        collectionView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        collectionView.backgroundColor = .systemBackground
        collectionView.delegate = self
        collectionView.register(PhotoCell.self, forCellWithReuseIdentifier: "photo")
        collectionView.register(
            HeaderView.self, forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header")
        view.addSubview(collectionView)
        dataSource = UICollectionViewDiffableDataSource(collectionView: collectionView) { view, indexPath, name in
            guard let cell = view.dequeueReusableCell(withReuseIdentifier: "photo", for: indexPath) as? PhotoCell
            else { fatalError("no cell") }
            cell.label.text = name
            return cell
        }
        dataSource.supplementaryViewProvider = { view, kind, indexPath in
            let header = view.dequeueReusableSupplementaryView(
                ofKind: kind, withReuseIdentifier: "header", for: indexPath)
            (header as? HeaderView)?.label.text = "Photos"
            return header
        }
    }

    func show(_ names: [String]) {
        var snapshot = NSDiffableDataSourceSnapshot<Section, String>()
        snapshot.appendSections([.main])
        snapshot.appendItems(names)
        dataSource.apply(snapshot, animatingDifferences: false)
        collectionView.collectionViewLayout.invalidateLayout()
        UIView.animate(
            withDuration: 0.2, delay: 0, options: UIView.AnimationOptions.curveEaseOut,
            animations: { self.collectionView.alpha = 1 }, completion: nil)
    }
}

extension PhotoGrid: UICollectionViewDelegateFlowLayout {
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        let spacing = (collectionViewLayout as? UICollectionViewFlowLayout)?.minimumInteritemSpacing ?? 0
        let side = floor((collectionView.bounds.width - 2 * spacing) / 3)
        return CGSize(width: side, height: side)
    }

    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets { UIEdgeInsets(top: 4, left: 0, bottom: 4, right: 0) }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        title = dataSource.itemIdentifier(for: indexPath)
    }
}

@MainActor
func tryPhotoGrid() {
    let grid = PhotoGrid()
    grid.loadViewIfNeeded()
    grid.show(["sea", "hill", "wood"])
    let view = grid.collectionView!
    precondition(view.numberOfItems(inSection: 0) == 3 && view.alpha == 1)
    let cell = grid.dataSource.collectionView(view, cellForItemAt: IndexPath(item: 1, section: 0)) as? PhotoCell
    precondition(cell?.label.text == "hill" && cell?.contentView.subviews == [cell!.label])
    cell?.isSelected = true
    precondition(cell?.contentView.backgroundColor == .systemBlue)
    let header = grid.dataSource.collectionView(
        view, viewForSupplementaryElementOfKind: UICollectionView.elementKindSectionHeader,
        at: IndexPath(item: 0, section: 0))
    precondition((header as? HeaderView)?.label.text == "Photos")
    let path = IndexPath(item: 2, section: 0)
    let size = view.delegate.flatMap { $0 as? UICollectionViewDelegateFlowLayout }?.collectionView(
        view, layout: view.collectionViewLayout, sizeForItemAt: path)
    precondition(size == CGSize(width: 98, height: 98))
    grid.collectionView(view, didSelectItemAt: path)
    precondition(grid.title == "wood")

    let columns = ColumnLayout()
    view.setCollectionViewLayout(columns, animated: false)
    columns.prepare()
    precondition(columns.layoutAttributesForItem(at: path)?.frame == CGRect(x: 1, y: 151, width: 148, height: 148))
    precondition(columns.layoutAttributesForElements(in: CGRect(x: 0, y: 0, width: 10, height: 10))?.count == 1)
    precondition(columns.collectionViewContentSize == CGSize(width: 300, height: 299))
}
