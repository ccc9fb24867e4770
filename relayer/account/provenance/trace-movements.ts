import type { Address } from 'viem'
import { addLot, rootsOf, takeLots, type Lot, type Receipt } from './lots.ts'
import {
  sourceOf,
  type Movement,
  type MovingTransaction,
  type Root,
  type SourceId,
  type SourceKind,
  NO_ROOTS,
  OLDER_ROOTS,
  uniteRoots,
} from './movements.ts'

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

/** The members of a lot that depend on its origin. */
type Attribution = Pick<Lot, 'kind' | 'roots'> & Partial<Lot>

class MovementTrace implements GrowingTrace {
  readonly #isOwn: (address: Address) => boolean
  readonly #holdings = new Map<string, readonly Lot[]>()
  readonly #received = new Map<Address, ReadonlySet<Root>>()
  readonly #unsolicited = new Map<Address, number>()
  readonly #deposited = new Map<string, ReadonlySet<Root>>()
  readonly #underway = new Map<string, Carried>()
  readonly #components: Components<Address> = createComponents()
  readonly #associations = new Map<readonly Address[], ReadonlySet<Root>>()
  readonly #arrivals = new Map<Address, Arrival[]>()
  readonly #origins = new Map<SourceId, Receipt>()
  readonly #moved = new Map<string, { arrived: readonly Lot[]; left: readonly Lot[] }>()
  readonly #alone = new Map<SourceId, ReadonlySet<SourceId>>()

  constructor(isOwn: (address: Address) => boolean) {
    this.#isOwn = isOwn
  }

  add(transaction: MovingTransaction): void {
    const nets = netsOf(transaction, this.#isOwn)
    const out = nets.filter(({ amount }) => amount < 0n)
    const sent = this.#send(transaction, out)
    const [first] = sent.from
    if (first !== undefined) for (const other of sent.from) this.#components.join(first, other)
    this.#associations.clear()
    const { id, departs, delivers } = transaction
    this.#deposited.set(id, uniteRoots(this.#deposited.get(id) ?? NO_ROOTS, sent.roots))
    for (const order of departs) this.#underway.set(order, sent)
    for (const net of nets) {
      if (net.amount <= 0n) continue
      const delivered = delivers.filter(({ to }) => to === net.address)
      this.#arrive(
        transaction,
        net,
        delivered.reduce((sum, { orderId }) => merge(sum, this.#underway.get(orderId) ?? UNKNOWN), sent),
      )
    }
  }

  #send({ id, chainId }: MovingTransaction, out: readonly Net[]): Carried {
    let roots = NO_ROOTS
    for (const { address, token, amount } of out) {
      const key = keyOf(chainId, address, token)
      const { left, taken } = takeLots(this.#holdings.get(key) ?? [], -amount)
      this.#holdings.set(key, left)
      this.#note(keyOf(id, address, token), { arrived: [], left: taken })
      roots = uniteRoots(roots, rootsOf(taken))
    }
    return { roots, from: new Set(out.map(({ address }) => address)) }
  }

  #arrive(transaction: MovingTransaction, net: Net, carried: Carried): void {
    const { address } = net
    const { amount, receipt } = describe(transaction, net)
    const direct = this.#only(sourceOf('receive', address))
    this.#receive(transaction, net, {
      amount,
      to: address,
      receipt,
      direct,
      actions: NO_ACTIONS,
      isUnsolicited: false,
      ...this.#attribute(transaction, net, carried, { direct, receipt }),
    })
  }

  /** Finds the roots of an arrival, and joins its address with those that paid for it. */
  #attribute(
    transaction: MovingTransaction,
    net: Net,
    carried: Carried,
    { direct, receipt }: Pick<Lot, 'direct' | 'receipt'>,
  ): Attribution {
    const { action } = transaction
    const { address } = net
    if (isRelayed(transaction, net)) {
      const roots = this.#originate('private', address, receipt)
      return { kind: 'private', roots, direct: roots, actions: new Set(['INCOGNITO_SELF_SEND']) }
    }
    const back = transaction.recovered.find(({ depositor }) => depositor === address)
    if (back) {
      const roots = this.#deposited.get(back.depositedBy ?? '') ?? OLDER_ROOTS
      return { kind: 'carried', roots, actions: new Set(['POOL_RECOVER']) }
    }
    if (carried.roots.size > 0 || carried.from.size > 0) {
      for (const from of carried.from) this.#components.join(from, address)
      return {
        kind: action === null ? 'carried' : 'action',
        roots: carried.roots,
        direct: new Set([...carried.from].map((from) => sourceOf('receive', from))),
        actions: new Set([action ?? 'SELF']),
      }
    }
    const isUnsolicited = net.movements.every((movement) => movement.isUnsolicited)
    if (!isUnsolicited && transaction.early?.has(address))
      return { kind: 'older', roots: OLDER_ROOTS, direct: OLDER_ROOTS }
    const roots = isUnsolicited ? direct : this.#originate('receive', address, receipt)
    return { kind: 'fresh', roots, isUnsolicited }
  }

  /** Makes the address a source of money from outside, in the open or out of a pool. */
  #originate(kind: SourceKind, address: Address, receipt: Receipt | null): ReadonlySet<SourceId> {
    const source = sourceOf(kind, address)
    if (receipt && !this.#origins.has(source)) this.#origins.set(source, receipt)
    return this.#only(source)
  }

  /** Returns the same set each time, because most money has one source. */
  #only(source: SourceId): ReadonlySet<SourceId> {
    const known = this.#alone.get(source) ?? new Set([source])
    this.#alone.set(source, known)
    return known
  }

  #receive({ id, chainId }: MovingTransaction, { address, token }: Net, lot: Lot): void {
    const key = keyOf(chainId, address, token)
    this.#holdings.set(key, addLot(this.#holdings.get(key) ?? [], lot))
    this.#note(keyOf(id, address, token), { arrived: [lot], left: [] })
    if (lot.isUnsolicited) {
      this.#unsolicited.set(address, this.unsolicited(address) + 1)
      return
    }
    this.#received.set(address, uniteRoots(this.#received.get(address) ?? NO_ROOTS, lot.roots))
    const before = this.#arrivals.get(address) ?? []
    for (const action of lot.actions.size > 0 ? lot.actions : [RECEIVE])
      before.push({ chainId, token, action })
    this.#arrivals.set(address, before)
  }

  /** Adds to earlier entries, because the parts of a transaction are traced one by one. */
  #note(key: string, { arrived, left }: { arrived: readonly Lot[]; left: readonly Lot[] }): void {
    const before = this.#moved.get(key) ?? UNMOVED
    this.#moved.set(key, { arrived: [...before.arrived, ...arrived], left: [...before.left, ...left] })
  }

  lots(chainId: number, address: Address, token: Address): readonly Lot[] {
    return this.#holdings.get(keyOf(chainId, address, token)) ?? []
  }

  associated(address: Address): ReadonlySet<Root> {
    const group = this.#components.of(address)
    const known = this.#associations.get(group)
    if (known) return known
    const [first = NO_ROOTS, ...others] = group.map((one) => this.#received.get(one) ?? NO_ROOTS)
    const roots = others.length === 0 ? first : new Set([first, ...others].flatMap((one) => [...one]))
    this.#associations.set(group, roots)
    return roots
  }

  joined(address: Address): readonly Address[] {
    return this.#components.of(address)
  }

  unsolicited(address: Address): number {
    return this.#unsolicited.get(address) ?? 0
  }

  arrivals(address: Address): readonly Arrival[] {
    return this.#arrivals.get(address) ?? []
  }

  origin(source: SourceId): Receipt | null {
    return this.#origins.get(source) ?? null
  }

  moved(id: string, address: Address, token: Address): { arrived: readonly Lot[]; left: readonly Lot[] } {
    return this.#moved.get(keyOf(id, address, token)) ?? UNMOVED
  }
}

/**
 * Follows money through an account's addresses. A transaction is atomic: only the net change of each token at an
 * address counts. Funds that arrive while others leave, in one transaction or under one order, carry the sources of
 * those others. First in, first out is only for display. An observer of the chain sees addresses, so addresses that
 * move or spend together are joined for good.
 *
 * @param isOwn True for the addresses that are followed.
 */
export const createTrace = (isOwn: (address: Address) => boolean): GrowingTrace => new MovementTrace(isOwn)

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

/** A partition of items into components (union-find). */
interface Components<Item> {
  join(one: Item, other: Item): void
  /** Returns all items of its component, itself included. */
  of(item: Item): readonly Item[]
}

/** Creates the partition; at first every item is alone. */
function createComponents<Item>(): Components<Item> {
  const groups = new Map<Item, Item[]>()
  const groupOf = (item: Item): Item[] => {
    const group = groups.get(item) ?? [item]
    groups.set(item, group)
    return group
  }
  return {
    join(one, other) {
      const [smaller, larger] = [groupOf(one), groupOf(other)].toSorted((a, b) => a.length - b.length)
      if (!smaller || !larger || smaller === larger) return
      larger.push(...smaller)
      for (const item of smaller) groups.set(item, larger)
    },
    of: (item) => groups.get(item) ?? [item],
  }
}
