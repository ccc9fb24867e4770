import { shareReadings } from '../../concurrency/share-readings.ts'
import type { Balances, BalanceSheet } from './balances.ts'

/**
 * Creates the following of an account's amounts: yields each change of them on a chain from now on. An event at its addresses is not enough:
 * transfers of nothing and new prices change no amount. Changes that happen while the present balances are read are
 * not missed.
 *
 * All followers of an account share what is read after a change.
 */
export function createSheetFollower(readSheet: Balances['readSheet']): Balances['follow'] {
  const share = shareReadings<BalanceSheet>()

  return async function* follow(accountId, changes) {
    // Listening begins with the first step.
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

/** What there is on each chain, as a text that is equal when all amounts are. */
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
