import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address, type PublicClient } from 'viem'
import { listHoldingsOf, markForReading } from '../../../db/transact/reread-holdings.ts'

/** Most holdings to read again: a quote needs only a few addresses, and the sweep reads the others. */
const MOST = 32
const PATIENCE_MS = 3_000
const LOOK_MS = 100

/**
 * Makes the indexer read a quote's holdings again, because some balances change without a log. Readings of blocks
 * before the node's newest do not count: the calls failed on the newest. The indexer's queries never join two addresses
 * of one account.
 *
 * @param counted Amounts by address, in the token's smallest unit. Only the largest are read.
 * @returns True if a holding differs from its counted amount within three seconds.
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
