import { decodeEventLog, getAddress, toEventHash, type Address, type Hash, type Hex } from 'viem'
import {
  computeMembersKey,
  peerEscrowAbi,
  peerOrchestratorAbi,
  type DepositMembers,
} from '../contracts/peer-escrow.ts'
import type { FoundCashEvent } from './block-facts.ts'
import type { RawLog } from './raw-block.ts'

/** An escrow of cash-outs, and the orchestrator of its buyers. */
export interface CashContracts {
  escrow: Address
  orchestrator: Address
}

const eventsOf = (abi: typeof peerEscrowAbi | typeof peerOrchestratorAbi) =>
  abi.flatMap((entry) => (entry.type === 'event' ? [toEventHash(entry)] : []))
const TOPICS = new Set<Hash>([...eventsOf(peerEscrowAbi), ...eventsOf(peerOrchestratorAbi)])

const NOTHING = {
  address: null,
  depositId: null,
  depositKey: null,
  amount: null,
  intentHash: null,
  expiresAt: null,
  rate: null,
  held: null,
  flag: null,
} as const

/**
 * Finds the events of configured escrows and orchestrators about deposits. A deposit is included if its depositor passes
 * `isOwn`; anybody can deposit for another. Later events are all included, because only the deposit's number identifies its
 * owner.
 */
export function findCashEvents(
  logs: readonly RawLog[],
  contracts: readonly CashContracts[],
  isOwn: (hex: string) => boolean,
): FoundCashEvent[] {
  if (contracts.length === 0) return []
  return logs.flatMap((log, place) => {
    const topic = log.topics[0]
    if (!topic || !TOPICS.has(topic)) return []
    const emitter = log.address.toLowerCase()
    const pair = contracts.find(({ escrow, orchestrator }) =>
      [escrow, orchestrator].some((address) => address.toLowerCase() === emitter),
    )
    if (!pair) return []
    const isEscrow = pair.escrow.toLowerCase() === emitter
    try {
      const details = isEscrow ? readEscrow(logs, place, isOwn) : readOrchestrator(log, pair.escrow)
      if (!details) return []
      return [
        {
          logIndex: Number(log.logIndex),
          txHash: log.transactionHash,
          escrow: getAddress(pair.escrow),
          ...NOTHING,
          ...details,
        },
      ]
    } catch {
      // Another version of the contract gives these names another meaning, so its event is skipped.
      return []
    }
  })
}

type Details = Partial<FoundCashEvent> & Pick<FoundCashEvent, 'kind'>

function readEscrow(logs: readonly RawLog[], place: number, isOwn: (hex: string) => boolean): Details | null {
  const log = logs[place] as RawLog
  const { eventName, args } = decodeEscrow(log)
  switch (eventName) {
    case 'DepositReceived': {
      if (!isOwn(args.depositor)) return null
      const methods = readMethods(logs, place, args.depositId)
      return {
        kind: 'received',
        address: getAddress(args.depositor),
        depositId: args.depositId,
        amount: args.amount,
        depositKey: computeMembersKey({ ...args, methods }),
      }
    }
    case 'DepositFundsAdded':
      return { kind: 'added', depositId: args.depositId, amount: args.amount }
    case 'DepositWithdrawn':
      return { kind: 'withdrawn', depositId: args.depositId, amount: args.amount }
    case 'DepositClosed':
      return { kind: 'closed', depositId: args.depositId }
    case 'DepositAcceptingIntentsUpdated':
      return { kind: 'accepting', depositId: args.depositId, flag: args.acceptingIntents }
    case 'DustCollected':
      return { kind: 'dust', depositId: args.depositId, amount: args.dustAmount }
    default:
      return readBuyer(log)
  }
}

/** Reads the events of a buyer's intent. */
function readBuyer(log: RawLog): Details | null {
  const { eventName, args } = decodeEscrow(log)
  switch (eventName) {
    case 'FundsLocked':
      return {
        kind: 'locked',
        depositId: args.depositId,
        intentHash: args.intentHash,
        amount: args.amount,
        expiresAt: toSeconds(args.expiryTime),
      }
    case 'IntentExpiryExtended':
      return {
        kind: 'extended',
        depositId: args.depositId,
        intentHash: args.intentHash,
        expiresAt: toSeconds(args.newExpiryTime),
      }
    case 'FundsUnlocked':
      return {
        kind: 'unlocked',
        depositId: args.depositId,
        intentHash: args.intentHash,
        amount: args.amount,
      }
    case 'FundsUnlockedAndTransferred':
      return {
        kind: 'transferred',
        depositId: args.depositId,
        intentHash: args.intentHash,
        amount: args.transferredAmount,
        held: args.unlockedAmount,
      }
    default:
      return null
  }
}

function readOrchestrator(log: RawLog, escrow: Address): Details | null {
  const { eventName, args } = decodeOrchestrator(log)
  const { intentHash } = args
  switch (eventName) {
    case 'IntentSignaled':
      // An orchestrator serves several escrows.
      if (args.escrow.toLowerCase() !== escrow.toLowerCase()) return null
      return {
        kind: 'signaled',
        depositId: args.depositId,
        intentHash,
        amount: args.amount,
        rate: args.conversionRate,
      }
    case 'IntentPruned':
      return { kind: 'pruned', intentHash }
    default:
      return { kind: 'fulfilled', intentHash, amount: args.amount, flag: args.isManualRelease }
  }
}

/** Reads the methods and currencies of a deposit from the logs behind it in the same transaction. */
function readMethods(logs: readonly RawLog[], place: number, depositId: bigint): DepositMembers['methods'] {
  const opened = logs[place] as RawLog
  const methods: {
    method: Hash
    payeeDetails: Hash
    gatingService: Address
    currencies: { code: Hash; minRate: bigint }[]
  }[] = []
  for (const log of logs.slice(place + 1)) {
    if (log.transactionHash !== opened.transactionHash) break
    const isOfEscrow = log.address.toLowerCase() === opened.address.toLowerCase()
    if (!isOfEscrow || !log.topics[0] || !TOPICS.has(log.topics[0])) continue
    const { eventName, args } = decodeEscrow(log)
    if (eventName === 'DepositPaymentMethodAdded' && args.depositId === depositId)
      methods.push({
        method: args.paymentMethod,
        payeeDetails: args.payeeDetails,
        gatingService: args.intentGatingService,
        currencies: [],
      })
    if (eventName === 'DepositCurrencyAdded' && args.depositId === depositId)
      methods
        .find(({ method }) => method === args.paymentMethod)
        ?.currencies.push({ code: args.currency, minRate: args.minConversionRate })
  }
  return methods
}

const topicsOf = ({ topics }: RawLog) => topics as [Hex, ...Hex[]]
const decodeEscrow = (log: RawLog) =>
  decodeEventLog({ abi: peerEscrowAbi, data: log.data, topics: topicsOf(log) })
const decodeOrchestrator = (log: RawLog) =>
  decodeEventLog({ abi: peerOrchestratorAbi, data: log.data, topics: topicsOf(log) })

/** A time beyond the exact range of numbers is never reached. */
const toSeconds = (time: bigint) => Number(time > 2n ** 53n - 1n ? 2n ** 53n - 1n : time)
