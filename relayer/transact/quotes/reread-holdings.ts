import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { zeroAddress } from 'viem'
import { listHoldingsOf, listLargest, markForReading } from '../../../db/transact/reread-holdings.ts'

/** A quote needs only a few addresses; the sweep reads the others. */
const MOST = 32
const PATIENCE_MS = 3_000
const LOOK_MS = 100

/**
 * Makes the indexer read an account's holdings of a token again, because some balances change without a log. The indexer asks
 * no node about two addresses of one account together.
 *
 * @returns Whether an amount changed within three seconds.
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
