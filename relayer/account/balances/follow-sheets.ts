import { shareReadings } from '../../concurrency/share-readings.ts'
import type { Balances, BalanceSheet } from './balances.ts'

/**
 * Creates the follower of an account's balances: it yields the sheet of a chain whenever an amount changes there.
 * It compares amounts, because transfers of nothing and new prices change none. Changes during the first read are not
 * missed. All followers of an account share the read after a change.
 */
export function createSheetFollower(readSheet: Balances['readSheet']): Balances['follow'] {
  const share = shareReadings<BalanceSheet>()

  return async function* follow(accountId, changes) {
    // The first `next()` subscribes.
    let next = changes.next()
    let isEarly = false
    void next.then(
      () => (isEarly = true),
      () => undefined,
    )
    const told = amountsByChain(await readSheet(accountId))
    let tellsAll = isEarly
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = changes.next()
      for (const chainId of value.chainIds) {
        const sheet = await share(`${accountId} ${chainId}`, value.changedAt, () =>
          readSheet(accountId, chainId),
        )
        const amounts = amountsByChain(sheet).get(chainId)
        if (!tellsAll && amounts === told.get(chainId)) continue
        if (amounts === undefined) told.delete(chainId)
        else told.set(chainId, amounts)
        yield { chainId, sheet }
      }
      tellsAll = false
    }
  }
}

/** Returns the amounts of each chain as a text; equal texts mean equal amounts. */
function amountsByChain({ balances }: BalanceSheet): Map<number, string> {
  const byChain = Map.groupBy(balances, ({ token }) => token.chainId)
  return new Map(
    [...byChain].map(([chainId, those]) => [
      chainId,
      those
        .map(({ token, visible, pooled }) =>
          [token.address, ...Object.values(visible), ...Object.values(pooled)].join(' '),
        )
        .sort()
        .join('\n'),
    ]),
  )
}
