import { getAddress, type Address, type Hex } from 'viem'
import type { AddressTest } from './address-filter.ts'
import type { FoundIntent } from './block-facts.ts'
import type { NativeMove } from './find-native.ts'
import type { RawLog } from './raw-block.ts'

/** IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err) */
export const INTENT_EXECUTED: Hex = '0x23a3c1343409f01965611c9c4c8b99e36d7b09ca22516507d5486ce0584379b8'

/**
 * Finds the Orchestrators' events about intents of accounts in the filter; calls `see` with every account.
 *
 * @param logs All of the block.
 * @param isDirect True if a transaction calls that orchestrator, in lower case, and nothing else. Only then do all logs
 * between two of its events belong to the later one: another contract could log anything before it calls the orchestrator.
 */
export function findIntents(
  logs: readonly RawLog[],
  {
    orchestrators,
    isDirect,
  }: { orchestrators: readonly Address[]; isDirect(txIndex: number, orchestrator: string): boolean },
  filter: AddressTest,
  see: (hex: string) => void,
): FoundIntent[] {
  if (orchestrators.length === 0) return []
  const contracts = new Set(orchestrators.map((one) => one.toLowerCase()))
  const found: FoundIntent[] = []
  let before = { txIndex: -1, end: 0 }
  for (const { address, topics, data, logIndex, transactionHash, transactionIndex } of logs) {
    const [kind, eoa, intentNonce] = topics
    const contract = address.toLowerCase()
    if (!contracts.has(contract) || kind !== INTENT_EXECUTED || !eoa || !intentNonce) continue
    const [txIndex, place] = [Number(transactionIndex), Number(logIndex)]
    const firstLog = before.txIndex === txIndex ? before.end + 1 : 0
    before = { txIndex, end: place }
    see(eoa)
    if (!filter.has(eoa) || data.length < 130) continue
    found.push({
      logIndex: place,
      txHash: transactionHash,
      txIndex,
      orchestrator: getAddress(address),
      eoa: getAddress(`0x${eoa.slice(-40)}`),
      intentNonce: BigInt(intentNonce),
      incremented: !/^0x0{64}/.test(data),
      err: `0x${data.slice(66, 74)}`,
      firstLog: isDirect(txIndex, contract) ? firstLog : null,
      firstMove: null,
      lastMove: null,
    })
  }
  return found
}

/** Adds the native coins that each intent moved, by the traces; `moves` is null where there are none. */
export function boundMoves(
  intents: readonly FoundIntent[],
  moves: readonly NativeMove[] | null,
): FoundIntent[] {
  if (moves === null) return [...intents]
  return intents.map((intent) => {
    const items = moves.flatMap(({ txIndex, item, intentOf }) =>
      txIndex === intent.txIndex && intentOf?.toLowerCase() === intent.eoa.toLowerCase() ? item : [],
    )
    // Follows the order of the trace; an empty range where it moved none.
    return { ...intent, firstMove: items[0] ?? 1, lastMove: items.at(-1) ?? 0 }
  })
}
