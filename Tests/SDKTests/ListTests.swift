import Foundation
import Testing
import UIKit

@Suite("Lists")
@MainActor struct ListTests {
    private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

    private final class Row: UITableViewCell {
        let mark = "made by its initializer"
        override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: style, reuseIdentifier: reuseIdentifier)
            tag = 3
        }
        required init?(coder: NSCoder) { fatalError("no coder") }
    }

    private final class Tile: UICollectionViewCell {
        override init(frame: CGRect) {
            super.init(frame: frame)
            tag = 4
        }
        required init?(coder: NSCoder) { fatalError("no coder") }
    }

    private func twoSections() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.appendSections(["a", "b"])
        snapshot.appendItems([1, 2, 3], toSection: "a")
        snapshot.appendItems([4, 5])
        return snapshot
    }

    @Test("a snapshot has items in sections, in their order")
    func counts() {
        let snapshot = twoSections()
        #expect(snapshot.sectionIdentifiers == ["a", "b"] && snapshot.itemIdentifiers == [1, 2, 3, 4, 5])
        #expect(snapshot.numberOfItems == 5 && snapshot.numberOfSections == 2)
        #expect(snapshot.numberOfItems(inSection: "b") == 2 && snapshot.itemIdentifiers(inSection: "a") == [1, 2, 3])
        #expect(snapshot.sectionIdentifier(containingItem: 4) == "b")
        #expect(snapshot.sectionIdentifier(containingItem: 9) == nil)
        #expect(snapshot.indexOfItem(4) == 3 && snapshot.indexOfItem(9) == nil && snapshot.indexOfSection("b") == 1)
    }

    @Test("items of a snapshot are inserted, moved and deleted, also between sections")
    func items() {
        var snapshot = twoSections()
        let old = snapshot
        snapshot.insertItems([10, 11], beforeItem: 1)
        snapshot.insertItems([12], afterItem: 5)
        #expect(snapshot.itemIdentifiers == [10, 11, 1, 2, 3, 4, 5, 12])
        snapshot.moveItem(10, afterItem: 4)
        snapshot.moveItem(12, beforeItem: 2)
        snapshot.moveItem(3, beforeItem: 3)
        #expect(snapshot.itemIdentifiers(inSection: "a") == [11, 1, 12, 2, 3])
        #expect(snapshot.itemIdentifiers(inSection: "b") == [4, 10, 5])
        #expect(snapshot.sectionIdentifier(containingItem: 10) == "b")
        snapshot.deleteItems([11, 5, 99])
        #expect(snapshot.itemIdentifiers == [1, 12, 2, 3, 4, 10])
        snapshot.appendItems([12, 4, 20], toSection: "a")
        #expect(snapshot.itemIdentifiers(inSection: "a") == [1, 2, 3, 12, 4, 20])
        snapshot.insertItems([1, 10], afterItem: 3)
        #expect(snapshot.itemIdentifiers == [2, 3, 1, 10, 12, 4, 20] && snapshot.numberOfItems == 7)
        #expect(snapshot.itemIdentifiers(inSection: "b").isEmpty)
        #expect(old.itemIdentifiers == [1, 2, 3, 4, 5])
        snapshot.reloadItems([1])
        snapshot.reconfigureItems([2, 2])
        #expect(snapshot.reloadedItemIdentifiers == [1] && snapshot.reconfiguredItemIdentifiers == [2])
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfItems == 0 && snapshot.numberOfSections == 0)
    }

    @Test("sections of a snapshot are inserted, moved and deleted with their items")
    func sections() {
        var snapshot = twoSections()
        snapshot.insertSections(["c"], beforeSection: "a")
        snapshot.insertSections(["d"], afterSection: "a")
        #expect(snapshot.sectionIdentifiers == ["c", "a", "d", "b"])
        snapshot.moveSection("b", beforeSection: "c")
        snapshot.moveSection("c", afterSection: "d")
        #expect(snapshot.sectionIdentifiers == ["b", "a", "d", "c"] && snapshot.itemIdentifiers == [4, 5, 1, 2, 3])
        snapshot.deleteSections(["a", "z"])
        #expect(snapshot.itemIdentifiers == [4, 5] && snapshot.sectionIdentifier(containingItem: 1) == nil)
        snapshot.appendItems([1], toSection: "d")
        #expect(snapshot.itemIdentifiers == [4, 5, 1])
        snapshot.reloadSections(["d", "d"])
        #expect(snapshot.reloadedSectionIdentifiers == ["d"])
    }

    @Test("a table's data source answers from the snapshot that was applied")
    func table() async {
        let table = UITableView(frame: .zero, style: .plain)
        table.register(Row.self, forCellReuseIdentifier: "row")
        let source = UITableViewDiffableDataSource<String, Int>(tableView: table) { table, path, item in
            let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
            cell.textLabel?.text = "\(item)"
            return cell
        }
        #expect(table.dataSource === source && table.numberOfSections == 0)
        var completed = false
        source.apply(twoSections(), animatingDifferences: true) { completed = true }
        #expect(completed && table.numberOfSections == 2 && table.numberOfRows(inSection: 0) == 3)
        let path = IndexPath(row: 1, section: 1)
        #expect(source.itemIdentifier(for: path) == 5 && source.indexPath(for: 5) == path)
        #expect(source.itemIdentifier(for: IndexPath(row: 2, section: 1)) == nil && source.indexPath(for: 9) == nil)
        let cell = source.tableView(table, cellForRowAt: path)
        #expect(cell is Row && cell.textLabel?.text == "5" && cell.tag == 3 && cell.reuseIdentifier == "row")
        #expect((cell as? Row)?.mark == "made by its initializer")
        #expect(table.dequeueReusableCell(withIdentifier: "other") == nil)
        await source.apply(Snapshot())
        #expect(source.snapshot().numberOfItems == 0)
    }

    @Test("a collection's cells are made of their classes, and set up by registrations")
    func collection() {
        let collection = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        #expect(collection.collectionViewLayout.collectionView === collection)
        collection.register(Tile.self, forCellWithReuseIdentifier: "tile")
        let path = IndexPath(item: 0, section: 0)
        let tile = collection.dequeueReusableCell(withReuseIdentifier: "tile", for: path)
        #expect(tile is Tile && tile.tag == 4 && tile.reuseIdentifier == "tile")
        let registration = UICollectionView.CellRegistration<Tile, String> { cell, path, item in
            cell.accessibilityLabel = "\(item) \(path.item)"
        }
        let source = UICollectionViewDiffableDataSource<Int, String>(collectionView: collection) {
            $0.dequeueConfiguredReusableCell(using: registration, for: $1, item: $2)
        }
        var snapshot = source.snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(["sun", "moon"])
        source.apply(snapshot)
        let cell = source.collectionView(collection, cellForItemAt: IndexPath(item: 1, section: 0))
        #expect(cell.accessibilityLabel == "moon 1" && cell.tag == 4 && collection.numberOfItems(inSection: 0) == 2)
    }

    @Test("rows that the application chooses are kept")
    func selection() {
        let table = UITableView(frame: .zero, style: .plain)
        let (first, second) = (IndexPath(row: 0, section: 0), IndexPath(row: 1, section: 0))
        table.selectRow(at: first, animated: false, scrollPosition: .none)
        table.selectRow(at: second, animated: false, scrollPosition: .top)
        #expect(table.indexPathsForSelectedRows == [second])
        table.allowsMultipleSelection = true
        table.selectRow(at: first, animated: false, scrollPosition: .none)
        #expect(table.indexPathsForSelectedRows == [second, first])
        table.deselectRow(at: second, animated: true)
        #expect(table.indexPathForSelectedRow == first)
        table.selectRow(at: nil, animated: false, scrollPosition: .none)
        #expect(table.indexPathForSelectedRow == nil && table.indexPathsForSelectedRows == nil)
    }
}
