import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { zeroAddress } from 'viem'
import { listHoldingsOf, listLargest, markForReading } from '../../../db/transact/reread-holdings.ts'

/** No quote takes more addresses than a few; the sweep reads the others. */
const MOST = 32
const PATIENCE_MS = 3_000
const LOOK_MS = 100

/**
 * Has the indexer read again what an account has of a token: the balances of some tokens change without a log. The indexer asks
 * no node about two addresses of one account together.
 *
 * @returns Whether an amount is another than before, within three seconds.
 */
export async function rereadHoldings(
  database: DatabasePool,
  accountId: string,
  of: { chainId: number; token: string },
): Promise<boolean> {
  if (of.token === zeroAddress) return false
  const before = await listLargest(database, accountId, { ...of, limit: MOST })
  if (before.length === 0) return false
  const addresses = before.map(({ address }) => address)
  await markForReading(database, of, addresses)
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS)
    const now = await listHoldingsOf(database, of, addresses)
    if (now.some(({ stale }) => stale)) continue
    const amounts = new Map(now.map(({ address, amount }) => [address, amount]))
    return before.some(({ address, amount }) => (amounts.get(address) ?? 0n) !== amount)
  }
  return false
}
