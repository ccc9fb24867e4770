import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address, type PublicClient } from 'viem'
import { listHoldingsOf, markForReading } from '../../../db/transact/reread-holdings.ts'

/** A quote needs only a few addresses; the sweep reads the others. */
const MOST = 32
const PATIENCE_MS = 3_000
const LOOK_MS = 100

/**
 * Makes the indexer read again the holdings that a quote counted with, because some balances change without a log. A reading of
 * an earlier block than the node's newest does not count: the calls failed on the newest. The indexer asks no node about two
 * addresses of one account together.
 *
 * @param counted Amounts by address, in the token's smallest unit. Only the largest are read.
 * @returns Whether a holding differs within three seconds from the amount that was counted.
 */
export async function rereadHoldings(
  { database, client }: { database: DatabasePool; client: Pick<PublicClient, 'getBlockNumber'> },
  of: { chainId: number; token: string },
  counted: ReadonlyMap<Address, bigint>,
): Promise<boolean> {
  const largest = [...counted]
    .filter(([, amount]) => amount > 0n)
    .sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .slice(0, MOST)
  if (of.token === zeroAddress || largest.length === 0) return false
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const addresses = largest.map(([address]) => address)
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    await markForReading(database, of, addresses)
    await sleep(LOOK_MS)
    const now = await listHoldingsOf(database, of, addresses)
    if (now.some(({ asOfBlock }) => asOfBlock < newest)) continue
    const amounts = new Map<string, bigint>(now.map(({ address, amount }) => [address, amount]))
    return largest.some(([address, amount]) => (amounts.get(address) ?? 0n) !== amount)
  }
  return false
}
