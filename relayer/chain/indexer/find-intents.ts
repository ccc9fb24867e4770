import { getAddress, type Address, type Hex } from 'viem'
import type { AddressTest } from './address-filter.ts'
import type { FoundIntent } from './block-facts.ts'
import type { RawLog } from './raw-block.ts'

/** IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err) */
export const INTENT_EXECUTED: Hex = '0x23a3c1343409f01965611c9c4c8b99e36d7b09ca22516507d5486ce0584379b8'

/** The orchestrator's events about intents of accounts in the filter; `see` is called with every account. */
export function findIntents(
  logs: readonly RawLog[],
  orchestrator: Address | null,
  filter: AddressTest,
  see: (hex: string) => void,
): FoundIntent[] {
  if (orchestrator === null) return []
  const contract = orchestrator.toLowerCase()
  return logs.flatMap(({ address, topics, data, logIndex, transactionHash, transactionIndex }) => {
    const [kind, eoa, intentNonce] = topics
    if (address.toLowerCase() !== contract || kind !== INTENT_EXECUTED || !eoa || !intentNonce) return []
    see(eoa)
    if (!filter.has(eoa) || data.length < 130) return []
    return {
      logIndex: Number(logIndex),
      txHash: transactionHash,
      txIndex: Number(transactionIndex),
      orchestrator: getAddress(address),
      eoa: getAddress(`0x${eoa.slice(-40)}`),
      intentNonce: BigInt(intentNonce),
      incremented: !/^0x0{64}/.test(data),
      err: `0x${data.slice(66, 74)}`,
    }
  })
}
