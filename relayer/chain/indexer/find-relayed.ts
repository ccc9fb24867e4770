import { decodeEventLog, getAbiItem, getAddress, toEventHash, zeroAddress } from 'viem'
import { entrypointAbi } from '../contracts/privacy-pools.ts'
import { NATIVE_ASSET } from '../nodes/config.ts'
import type { AddressTest } from './address-filter.ts'
import type { FoundTransfer } from './block-facts.ts'
import type { RawLog } from './raw-block.ts'

const relayed = getAbiItem({ abi: entrypointAbi, name: 'WithdrawalRelayed' })

/** Topic of an Entrypoint's WithdrawalRelayed. */
export const WITHDRAWAL_RELAYED = toEventHash(relayed)

/**
 * Finds the native coins that Entrypoints report as paid to addresses in the filter. Without traces nothing else shows these
 * payments. Any contract may emit such an event, so only those of the chain's Entrypoint count. `see` is called with every
 * recipient.
 */
export function findRelayed(
  logs: readonly RawLog[],
  filter: AddressTest,
  see: (hex: string) => void,
): FoundTransfer[] {
  return logs.flatMap((log) => {
    const args = readRelayed(log)
    if (!args) return []
    see(args._recipient)
    if (args._asset !== NATIVE_ASSET || args._feeAmount > args._amount || !filter.has(args._recipient))
      return []
    return {
      source: 'log',
      position: Number(log.logIndex),
      item: 0,
      txHash: log.transactionHash,
      txIndex: Number(log.transactionIndex),
      standard: 'native',
      token: zeroAddress,
      tokenId: null,
      from: getAddress(log.address),
      to: args._recipient,
      amount: args._amount - args._feeAmount,
    }
  })
}

function readRelayed({ topics, data }: RawLog) {
  const [topic, ...rest] = topics
  if (topic !== WITHDRAWAL_RELAYED) return null
  try {
    return decodeEventLog({ abi: [relayed], data, topics: [topic, ...rest] }).args
  } catch {
    // Any contract may emit anything under this name.
    return null
  }
}
