import type { Address } from 'viem'
import { createComponents, type Components } from './components.ts'
import { addLot, rootsOf, takeLots, type Lot, type Receipt } from './lots.ts'
import {
  sourceOf,
  type Movement,
  type MovingTransaction,
  type Root,
  type SourceId,
  type SourceKind,
} from './movements.ts'
import { NO_ROOTS, OLDER_ROOTS, uniteRoots } from './roots.ts'

/** The origins of the holdings of an account's addresses. */
export interface Trace {
  /** Returns the lots of a holding, the oldest first. */
  lots(chainId: number, address: Address, token: Address): readonly Lot[]
  /**
   * Returns all sources that ever arrived at the address, or at one that an observer can join it with. Joined
   * addresses get the same object.
   */
  associated(address: Address): ReadonlySet<Root>
  /** Returns all addresses that an observer can join it with, itself included. */
  joined(address: Address): readonly Address[]
  /** Returns how many unsolicited amounts arrived at the address. */
  unsolicited(address: Address): number
  /** Returns the solicited arrivals at the address. */
  arrivals(address: Address): readonly Arrival[]
  /** Returns the place where a source's money first arrived. */
  origin(source: SourceId): Receipt | null
  /** Returns the lots of a token that a transaction brought to an address and took from it; empty if it moved none. */
  moved(id: string, address: Address, token: Address): { arrived: readonly Lot[]; left: readonly Lot[] }
}

/** A solicited arrival of a token at an address. */
export interface Arrival {
  chainId: number
  token: Address
  /** The kind of activity that brought it. */
  action: string
}

/** A trace that accepts further transactions. */
export interface GrowingTrace extends Trace {
  /** Adds the next transaction in the order of its chain. Across chains, a departure comes before its delivery. */
  add(transaction: MovingTransaction): void
}

const keyOf = (where: number | string, address: Address, token: Address) => `${where}:${address}:${token}`
const NO_ACTIONS: ReadonlySet<string> = new Set()
const UNMOVED: { arrived: readonly Lot[]; left: readonly Lot[] } = { arrived: [], left: [] }

/** The net change of one token at one address by a transaction. */
interface Net {
  address: Address
  token: Address
  amount: bigint
  movements: Movement[]
}

/** The roots of funds that left addresses of the account; funds that arrive in exchange inherit them. */
interface Carried {
  roots: ReadonlySet<Root>
  from: ReadonlySet<Address>
}

/** For a delivery without a known departure. */
const UNKNOWN: Carried = { roots: OLDER_ROOTS, from: new Set() }
const RECEIVE = 'RECEIVE'

/**
 * Follows money through an account's addresses. A transaction is atomic: only the net change of each token at an
 * address counts. Funds that arrive while others leave, in one transaction or under one order, carry the sources of
 * those others. First in, first out is only for display. An observer of the chain sees addresses, so addresses that
 * move or spend together are joined for good.
 *
 * @param isOwn True for the addresses that are followed.
 */
export function createTrace(isOwn: (address: Address) => boolean): GrowingTrace {
  const holdings = new Map<string, readonly Lot[]>()
  const received = new Map<Address, ReadonlySet<Root>>()
  const unsolicited = new Map<Address, number>()
  const deposited = new Map<string, ReadonlySet<Root>>()
  const underway = new Map<string, Carried>()
  const components: Components<Address> = createComponents()
  const associations = new Map<readonly Address[], ReadonlySet<Root>>()
  const arrivals = new Map<Address, Arrival[]>()
  const origins = new Map<SourceId, Receipt>()
  const moved = new Map<string, { arrived: readonly Lot[]; left: readonly Lot[] }>()
  const alone = new Map<SourceId, ReadonlySet<SourceId>>()

  /** Returns the same set each time, because most money has one source. */
  const only = (source: SourceId): ReadonlySet<SourceId> => {
    const known = alone.get(source) ?? new Set([source])
    alone.set(source, known)
    return known
  }

  /** Adds to earlier entries, because the parts of a transaction are traced one by one. */
  const note = (key: string, { arrived, left }: { arrived: readonly Lot[]; left: readonly Lot[] }) => {
    const before = moved.get(key) ?? UNMOVED
    moved.set(key, { arrived: [...before.arrived, ...arrived], left: [...before.left, ...left] })
  }

  const receive = ({ id, chainId }: MovingTransaction, { address, token }: Net, lot: Lot) => {
    const key = keyOf(chainId, address, token)
    holdings.set(key, addLot(holdings.get(key) ?? [], lot))
    note(keyOf(id, address, token), { arrived: [lot], left: [] })
    if (lot.isUnsolicited) {
      unsolicited.set(address, (unsolicited.get(address) ?? 0) + 1)
      return
    }
    received.set(address, uniteRoots(received.get(address) ?? NO_ROOTS, lot.roots))
    const before = arrivals.get(address) ?? []
    for (const action of lot.actions.size > 0 ? lot.actions : [RECEIVE])
      before.push({ chainId, token, action })
    arrivals.set(address, before)
  }

  function send({ id, chainId }: MovingTransaction, out: readonly Net[]): Carried {
    let roots = NO_ROOTS
    for (const { address, token, amount } of out) {
      const key = keyOf(chainId, address, token)
      const { left, taken } = takeLots(holdings.get(key) ?? [], -amount)
      holdings.set(key, left)
      note(keyOf(id, address, token), { arrived: [], left: taken })
      roots = uniteRoots(roots, rootsOf(taken))
    }
    return { roots, from: new Set(out.map(({ address }) => address)) }
  }

  /** Makes the address a source of money from outside, in the open or out of a pool. */
  const originate = (kind: SourceKind, address: Address, receipt: Receipt | null): ReadonlySet<SourceId> => {
    const source = sourceOf(kind, address)
    if (receipt && !origins.has(source)) origins.set(source, receipt)
    return only(source)
  }

  function arrive(transaction: MovingTransaction, net: Net, carried: Carried): void {
    const { action } = transaction
    const { address } = net
    const { amount, receipt } = describe(transaction, net)
    const direct = only(sourceOf('receive', address))
    const give = (lot: Pick<Lot, 'kind' | 'roots'> & Partial<Lot>) =>
      receive(transaction, net, {
        amount,
        to: address,
        receipt,
        direct,
        actions: NO_ACTIONS,
        isUnsolicited: false,
        ...lot,
      })
    if (isRelayed(transaction, net)) {
      const roots = originate('private', address, receipt)
      return give({ kind: 'private', roots, direct: roots, actions: new Set(['INCOGNITO_SELF_SEND']) })
    }
    const back = transaction.recovered.find(({ depositor }) => depositor === address)
    if (back) {
      const roots = deposited.get(back.depositedBy ?? '') ?? OLDER_ROOTS
      return give({ kind: 'carried', roots, actions: new Set(['POOL_RECOVER']) })
    }
    if (carried.roots.size > 0 || carried.from.size > 0) {
      for (const from of carried.from) components.join(from, address)
      return give({
        kind: action === null ? 'carried' : 'action',
        roots: carried.roots,
        direct: new Set([...carried.from].map((from) => sourceOf('receive', from))),
        actions: new Set([action ?? 'SELF']),
      })
    }
    const isUnsolicited = net.movements.every((movement) => movement.isUnsolicited)
    if (!isUnsolicited && transaction.early?.has(address))
      return give({ kind: 'older', roots: OLDER_ROOTS, direct: OLDER_ROOTS })
    give({
      kind: 'fresh',
      roots: isUnsolicited ? direct : originate('receive', address, receipt),
      isUnsolicited,
    })
  }

  function add(transaction: MovingTransaction): void {
    const nets = netsOf(transaction, isOwn)
    const out = nets.filter(({ amount }) => amount < 0n)
    const sent = send(transaction, out)
    const [first] = sent.from
    if (first !== undefined) for (const other of sent.from) components.join(first, other)
    associations.clear()
    deposited.set(transaction.id, uniteRoots(deposited.get(transaction.id) ?? NO_ROOTS, sent.roots))
    for (const order of transaction.departs) underway.set(order, sent)
    for (const net of nets) {
      if (net.amount <= 0n) continue
      const delivered = transaction.delivers.filter(({ to }) => to === net.address)
      arrive(
        transaction,
        net,
        delivered.reduce((sum, { orderId }) => merge(sum, underway.get(orderId) ?? UNKNOWN), sent),
      )
    }
  }

  function associate(address: Address): ReadonlySet<Root> {
    const group = components.of(address)
    const known = associations.get(group)
    if (known) return known
    const [first = NO_ROOTS, ...others] = group.map((one) => received.get(one) ?? NO_ROOTS)
    const roots = others.length === 0 ? first : new Set([first, ...others].flatMap((one) => [...one]))
    associations.set(group, roots)
    return roots
  }

  return {
    add,
    lots: (chainId, address, token) => holdings.get(keyOf(chainId, address, token)) ?? [],
    associated: associate,
    joined: (address) => components.of(address),
    unsolicited: (address) => unsolicited.get(address) ?? 0,
    arrivals: (address) => arrivals.get(address) ?? [],
    origin: (source) => origins.get(source) ?? null,
    moved: (id, address, token) => moved.get(keyOf(id, address, token)) ?? UNMOVED,
  }
}

const merge = (one: Carried, other: Carried): Carried => ({
  roots: uniteRoots(one.roots, other.roots),
  from: one.from.union(other.from),
})

function netsOf({ movements }: MovingTransaction, isOwn: (address: Address) => boolean): Net[] {
  const nets = new Map<string, Net>()
  const book = (address: Address, amount: bigint, movement: Movement) => {
    if (!isOwn(address)) return
    const key = `${address}:${movement.token}`
    const net = nets.get(key) ?? { address, token: movement.token, amount: 0n, movements: [] }
    net.amount += amount
    net.movements.push(movement)
    nets.set(key, net)
  }
  for (const movement of movements) {
    book(movement.from, -movement.amount, movement)
    book(movement.to, movement.amount, movement)
  }
  return [...nets.values()]
}

const isRelayed = ({ relayed }: MovingTransaction, { token, movements }: Net): boolean =>
  relayed.some(
    (payment) =>
      payment.token === token &&
      movements.some(({ from, amount }) => from === payment.entrypoint && amount === payment.received),
  )

function describe({ chainId, txHash }: MovingTransaction, { address, amount, movements }: Net) {
  const first = movements.find(({ to }) => to === address)
  return { amount, receipt: first && txHash !== null ? { chainId, txHash, index: first.index } : null }
}

/**
 * Traces a complete list of transactions.
 * @param transactions In the order in which they are to be traced.
 */
export function traceMovements(
  transactions: Iterable<MovingTransaction>,
  isOwn: (address: Address) => boolean,
): Trace {
  const trace = createTrace(isOwn)
  for (const transaction of transactions) trace.add(transaction)
  return trace
}
