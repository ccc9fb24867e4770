import { decodeEventLog, getAddress, pad, slice, toEventHash, type Address, type Hash, type Hex } from 'viem'
import { computeRelayKey, handlerEvents, hashMessage, spokePoolEvents } from '../contracts/across.ts'
import type { AddressTest } from './address-filter.ts'
import type { FoundBridgeEvent } from './block-facts.ts'
import { TRANSFER } from './find-transfers.ts'
import type { RawLog } from './raw-block.ts'

/** The contracts of a bridge on the indexed chain. */
export interface BridgeContracts {
  chainId: number
  spokePool: Address
  /** Null where nothing is swapped after a bridge. */
  multicallHandler: Address | null
}

const [DEPOSIT, FILL, REFUND, CLAIM] = spokePoolEvents.map(toEventHash)
const [CALLS_FAILED] = handlerEvents.map(toEventHash)

const NO_MORE = `0x${'00'.repeat(12)}`
const NOTHING = {
  item: 0,
  token: null,
  amount: null,
  isDeferred: null,
  relayKey: null,
  depositId: null,
  quoteTimestamp: null,
  fallbackRecipient: null,
} as const

/**
 * Finds the SpokePools' events about deposits, fills and refunds of addresses in the filter; calls `see` with every
 * depositor. Any stranger can cause an event that an address deposited, or that a deposit was filled. So readers of the rows
 * compare the members.
 */
export function findBridgeEvents(
  logs: readonly RawLog[],
  bridges: readonly BridgeContracts[],
  filter: AddressTest,
  see: (hex: string) => void,
): FoundBridgeEvent[] {
  if (bridges.length === 0) return []
  const byPool = Map.groupBy(bridges, ({ spokePool }) => spokePool.toLowerCase())
  const isOwn = (hex: string) => {
    see(hex)
    return filter.has(hex)
  }
  return logs.flatMap((log, place) => {
    const contracts = byPool.get(log.address.toLowerCase())
    if (!contracts) return []
    try {
      return readEvent({ log, logs, place, contracts, isOwn }).map((details) => ({
        logIndex: Number(log.logIndex),
        txHash: log.transactionHash,
        ...NOTHING,
        ...details,
      }))
    } catch {
      // Another version of the contract gives these names another meaning, so its event is skipped.
      return []
    }
  })
}

interface Reading {
  log: RawLog
  /** All logs of the block, and the position of the log among them. */
  logs: readonly RawLog[]
  place: number
  /** Contracts of one SpokePool: it may have had several handlers. */
  contracts: readonly BridgeContracts[]
  isOwn(hex: string): boolean
}

type Details = Partial<FoundBridgeEvent> & Pick<FoundBridgeEvent, 'kind' | 'address'>

function readEvent(reading: Reading): Details[] {
  const { log, contracts, isOwn } = reading
  const topics = log.topics as [Hex, ...Hex[]]
  const { data } = log
  const here = BigInt(contracts[0]?.chainId ?? 0)
  switch (topics[0]) {
    case DEPOSIT: {
      if (!isOwn(topics[3] ?? '0x')) return []
      const { args } = decodeEventLog({ abi: spokePoolEvents, eventName: 'FundsDeposited', data, topics })
      const messageHash = hashMessage(args.message)
      return ofAddress(args.depositor, {
        kind: 'deposit',
        depositId: args.depositId,
        quoteTimestamp: args.quoteTimestamp,
        relayKey: computeRelayKey({ ...args, originChainId: here, messageHash }),
      })
    }
    case FILL: {
      const { args } = decodeEventLog({ abi: spokePoolEvents, eventName: 'FilledRelay', data, topics })
      if (!isOwn(args.depositor)) return []
      return ofAddress(args.depositor, {
        kind: 'fill',
        depositId: args.depositId,
        relayKey: computeRelayKey({ ...args, destinationChainId: here }),
        amount: args.relayExecutionInfo.updatedOutputAmount,
        fallbackRecipient: findFallback(reading, args.outputToken),
      })
    }
    case REFUND:
      return readRefunds(reading, topics)
    case CLAIM: {
      const { args } = decodeEventLog({
        abi: spokePoolEvents,
        eventName: 'ClaimedRelayerRefund',
        data,
        topics,
      })
      // The refund was owed to the caller, regardless of the payee.
      if (!isOwn(args.caller)) return []
      return [
        {
          kind: 'refund-claim',
          address: getAddress(args.caller),
          token: toAddress(args.l2TokenAddress),
          amount: args.amount,
        },
      ]
    }
    default:
      return []
  }
}

function readRefunds({ log, logs, isOwn }: Reading, topics: [Hex, ...Hex[]]): Details[] {
  const { args } = decodeEventLog({
    abi: spokePoolEvents,
    eventName: 'ExecutedRelayerRefundRoot',
    data: log.data,
    topics,
  })
  return args.refundAddresses.flatMap((address, item): Details[] => {
    const amount = args.refundAmounts[item]
    if (!isOwn(address) || amount === undefined || amount === 0n) return []
    const token = getAddress(args.l2TokenAddress)
    // The event has one flag for all payments together.
    const isDeferred = args.deferredRefunds && !wasPaid(logs, log, { token, to: address, amount })
    return [{ kind: 'refund', address: getAddress(address), item, token, amount, isDeferred }]
  })
}

/** True if the emitter of a log paid an address a token in the same transaction. */
function wasPaid(
  logs: readonly RawLog[],
  { transactionHash, address: payer }: RawLog,
  { token, to, amount }: { token: Address; to: Address; amount: bigint },
): boolean {
  return logs.some(
    ({ address, topics, data, transactionHash: tx }) =>
      tx === transactionHash &&
      address.toLowerCase() === token.toLowerCase() &&
      topics[0] === TRANSFER &&
      topics[1] === toWord(payer) &&
      topics[2] === toWord(to) &&
      data.length === 66 &&
      BigInt(data) === amount,
  )
}

/**
 * Returns the recipient of a fill's output if the calls of its message failed; null if they did not. Any contract can make
 * the handler emit this for any address, later in the transaction. Failed calls left no logs. So the event counts only
 * straight after the token came, before the handler did anything with it.
 */
function findFallback({ log, logs, place, contracts }: Reading, bridgedToken: Hex): Address | null {
  const handlers = contracts.flatMap(({ multicallHandler }) => multicallHandler?.toLowerCase() ?? [])
  if (handlers.length === 0) return null
  const words = handlers.map((handler) => toWord(handler as Address))
  const token = toAddress(bridgedToken).toLowerCase()
  for (const { transactionHash, address, topics } of logs.slice(place + 1)) {
    if (transactionHash !== log.transactionHash) return null
    const emitter = address.toLowerCase()
    const [topic, subject] = topics
    if (handlers.includes(emitter) && topic === CALLS_FAILED && subject) return toAddress(subject)
    if (emitter !== token || words.some((word) => word === subject)) return null
  }
  return null
}

const toWord = (address: Address) => pad(address, { size: 32 }).toLowerCase() as Hash

function toAddress(word: Hex): Address {
  if (slice(word, 0, 12) !== NO_MORE) throw new RangeError('not an address of an EVM chain')
  return getAddress(slice(word, 12))
}

const ofAddress = (depositor: Hex, details: Omit<Details, 'address'>): Details[] => [
  { ...details, address: toAddress(depositor) },
]
