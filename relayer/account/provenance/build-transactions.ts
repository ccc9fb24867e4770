import { zeroAddress, type Address, type Hash } from 'viem'
import type { ReachedMovement } from '../../../db/account/provenance/reach-movements.ts'
import type { Act } from '../../../db/chain/indexer/own-acts.ts'
import type { ToldFact, TransactionFact } from '../../../db/account/provenance/transaction-facts.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { isCertainlyWithin, findAct, type Place } from './acts.ts'
import { matchRelays } from './match-relays.ts'
import type { Movement, MovingTransaction } from './movements.ts'
import type { PrivateOrigin } from './provenance.ts'

/** The id of a transaction in a trace. */
export const transactionId = ({ chainId, txHash }: { chainId: number; txHash: string }) =>
  `${chainId}:${txHash}`

/** A transaction to be traced, with its payments out of pools. */
export interface BuiltTransaction extends MovingTransaction {
  privatePayments: readonly { to: Address; token: Address; origin: PrivateOrigin }[]
}

/** Decisions about tokens and addresses that the rows do not contain. */
export interface Judgement {
  /** True if the amount of the token, in its smallest unit, is too small or too unknown to count as requested. */
  isUnsolicited(chainId: number, token: Address, amount: bigint): boolean
  /** True for the account's own addresses that the history reaches. */
  isOwn(address: Address): boolean
  /** True if the token is not vouched for: its contract may log that any address paid any other. */
  isForgeable(chainId: number, token: Address): boolean
  /** Returns the kind of activity of a kind of quote. */
  actionOf(kind: string): string
}

/** Builds transactions from their rows, in the order of the rows. */
export function* buildTransactions(
  rows: readonly ReachedMovement[],
  facts: readonly ToldFact[],
  judgement: Judgement,
): Generator<BuiltTransaction, void, undefined> {
  const factsOf = Map.groupBy(facts, transactionId)
  const groups = Map.groupBy(rows, ([chainId, txHash, blockHash, , , position]) =>
    txHash === null ? `${chainId}:${blockHash}:${position}` : transactionId({ chainId, txHash }),
  )
  for (const [id, moved] of groups)
    yield* buildParts(
      id,
      moved,
      (factsOf.get(id) ?? []).map(({ fact }) => fact),
      judgement,
    )
}

/** The part of a transaction by one quote or address of the account, or by all others. */
interface Part {
  key: string
  act: Act | null
  moved: ReachedMovement[]
}

/**
 * Builds the parts of a transaction, which may carry intents of many accounts. Each quote's part is treated as a
 * transaction of its own, and so is the part of all others. Payments by strangers are therefore not joined with it.
 */
function buildParts(
  id: string,
  moved: readonly ReachedMovement[],
  known: readonly TransactionFact[],
  judgement: Judgement,
): BuiltTransaction[] {
  const [first] = moved
  if (!first) return []
  const [chainId, txHash] = first
  const acts = known.flatMap((fact) => (fact.kind === 'acted' ? fact.act : []))
  const parts = splitByAct(moved, acts)
  const events = known.filter((fact) => 'logIndex' in fact)
  const relayed = listRelayed(events)
  const addressesOf = (key: string) =>
    acts.flatMap((act) => ((act.quote?.id ?? act.address) === key ? act.address : []))
  return [...parts.values()].map(({ key, act, moved: own }): BuiltTransaction => {
    const movements = own.map((row) => describeMovement(row, judgement, acts))
    /** A fact that names its quote or address goes to that part if it exists, else to all parts. */
    const isOf = (owner: string | undefined) =>
      owner === undefined || !parts.has(owner) ? true : key === owner
    return {
      id,
      chainId,
      txHash,
      movements,
      relayed,
      recovered: known
        .filter((fact) => fact.kind === 'ragequit')
        .filter(({ account }) => isOf([...parts.keys()].find((one) => addressesOf(one).includes(account))))
        .map(({ account, depositedBy }) => ({
          depositor: account,
          depositedBy: depositedBy && transactionId({ chainId, txHash: depositedBy }),
        })),
      action: act?.quote ? judgement.actionOf(act.quote.kind) : null,
      early: new Set(known.flatMap((fact) => (fact.kind === 'early' ? fact.to : []))),
      departs: known.flatMap((fact) => (fact.kind === 'departed' && isOf(fact.orderId) ? fact.orderId : [])),
      // A third party fills an order, or refunds it.
      delivers: known.filter((fact) => fact.kind === 'delivered').filter(() => isOf(OTHERS)),
      privatePayments: txHash === null ? [] : listPrivatePayments(movements, events, { chainId, txHash }),
    }
  })
}

const OTHERS = 'others'

type PoolFact = Extract<TransactionFact, { logIndex: number }>

/** Splits the movements into parts, in the order in which they begin. */
function splitByAct(moved: readonly ReachedMovement[], acts: readonly Act[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  for (const row of moved) {
    const { key, act } = findAct(acts, placeOf(row)) ?? { key: OTHERS, act: null }
    const part = parts.get(key) ?? { key, act, moved: [] }
    part.moved.push(row)
    parts.set(key, part)
  }
  return parts
}

const listRelayed = (events: readonly PoolFact[]) =>
  events.flatMap(({ kind, contract, asset, value, fee }) =>
    kind === 'relay' && asset !== null && value !== null && fee !== null
      ? [
          {
            entrypoint: contract,
            token: asset === NATIVE_ASSET ? zeroAddress : asset,
            received: value - fee,
          },
        ]
      : [],
  )

const listPrivatePayments = (
  movements: readonly Movement[],
  events: readonly PoolFact[],
  transaction: { chainId: number; txHash: Hash },
): BuiltTransaction['privatePayments'] =>
  matchRelays(movements, events).map(({ transfer, relay, withdrawal }) => ({
    to: transfer.to,
    token: transfer.token,
    origin: {
      ...transaction,
      index: transfer.index,
      entrypoint: relay.contract,
      pool: withdrawal.contract,
      poolLogIndex: withdrawal.logIndex,
    },
  }))

const placeOf = ([, , , , source, position, item]: ReachedMovement): Place => ({ source, position, item })

function describeMovement(
  row: ReachedMovement,
  { isUnsolicited, isForgeable, isOwn }: Judgement,
  acts: readonly Act[],
): Movement {
  const [chainId, , , , source, position, item, token, tokenId, from, to, amount] = row
  const hasActed = () => acts.some((act) => act.address === from && isCertainlyWithin(act, placeOf(row)))
  const isVouchedFor = tokenId === null && !isForgeable(chainId, token)
  return {
    // A log of a forgeable token proves no payment by an own address that did not act.
    from: isVouchedFor || !isOwn(from) || hasActed() ? from : zeroAddress,
    to,
    // Each collectible is a token of its own.
    token: tokenId === null ? token : `${token}/${tokenId}`,
    amount,
    index: source === 'call' ? item : position,
    // A collectible has no price.
    isUnsolicited: tokenId !== null || isUnsolicited(chainId, token, amount),
  }
}
