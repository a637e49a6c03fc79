/// The function pointers of one run. While this object lives they act for the run; afterwards they stay callable without
/// effect: `shouldStop` returns 1, `timeRemaining` 0, `complete` is ignored.
///
/// *Ownership*: the run keeps it; it does not keep the run. The library that the pointers were given to is never
/// unloaded, nor is the `ForeignCall` that lent them, so a late call always finds code.
package final class ForeignCallbacks: Sendable {
    private let pools: [ClosurePool]
    private let closures: [ForeignClosure]

    init(_ pools: [ClosurePool], for context: any ForeignCallContext) throws(ForeignCallError) {
        var closures: [ForeignClosure] = []
        closures.reserveCapacity(pools.count)
        for pool in pools {
            do throws(ForeignCallError) {
                closures.append(try pool.take())
            } catch {
                for (pool, closure) in zip(pools, closures) { pool.giveBack(closure) }
                throw error
            }
        }
        for closure in closures { closure.bind(context) }
        self.pools = pools
        self.closures = closures
    }

    deinit {
        for (pool, closure) in zip(pools, closures) {
            closure.unbind()
            pool.giveBack(closure)
        }
    }

    /// The address to pass for callback number `index`.
    func code(_ index: Int) -> UnsafeMutableRawPointer { unsafe closures[index].code }
}
