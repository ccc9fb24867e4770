import { parseEventLogs, type Address, type Hash, type Hex, type PublicClient } from 'viem'
import { spokePoolEvents } from '../../../relayer/chain/contracts/across.ts'

/** A deposit as a SpokePool wants it where it is filled: addresses in 32 bytes, times in seconds since 1970. */
export interface Relay {
  depositor: Hex
  recipient: Hex
  exclusiveRelayer: Hex
  inputToken: Hex
  outputToken: Hex
  inputAmount: bigint
  outputAmount: bigint
  originChainId: bigint
  depositId: bigint
  fillDeadline: number
  exclusivityDeadline: number
  message: Hex
}

/** A deposit that a SpokePool took. */
export interface SpokePoolDeposit {
  relay: Relay
  destinationChainId: number
  /** Of the transaction that made it. */
  txHash: Hash
}

/** News of a chain. */
export interface NewDeposits {
  deposits: SpokePoolDeposit[]
  /** The chain was reorganised: these are all its deposits, and earlier ones count no longer. */
  isAnew: boolean
}

/** Follows the deposits with the SpokePool of one chain; all of them are there again after a reorganisation. */
export function followDeposits(options: {
  client: PublicClient
  chainId: number
  spokePool: Address
  startBlock: bigint
}): () => Promise<NewDeposits> {
  const { client, chainId, spokePool, startBlock } = options
  let last: { number: bigint; hash: Hash } | null = null

  const isOnChain = async (block: { number: bigint; hash: Hash }) =>
    (await client.getBlock({ blockNumber: block.number }).catch(() => null))?.hash === block.hash

  return async () => {
    const head = await client.getBlock()
    if (last?.hash === head.hash) return { deposits: [], isAnew: false }
    const isAnew = last !== null && !(await isOnChain(last))
    const fromBlock = last && !isAnew ? last.number + 1n : startBlock
    const logs =
      fromBlock > head.number
        ? []
        : await client.getLogs({ address: spokePool, fromBlock, toBlock: head.number })
    const events = parseEventLogs({ abi: spokePoolEvents, logs, eventName: 'FundsDeposited' })
    last = { number: head.number, hash: head.hash }
    const deposits = events.map(({ args, transactionHash }) => {
      const { destinationChainId, quoteTimestamp: _, ...members } = args
      const relay = { ...members, originChainId: BigInt(chainId) }
      return { relay, destinationChainId: Number(destinationChainId), txHash: transactionHash }
    })
    return { deposits, isAnew }
  }
}
