import type { Address } from 'viem'
import { createComponents, type Components } from './components.ts'
import { addLot, takeLots, type Lot } from './lots.ts'
import { OLDER, sourceOf, type Movement, type MovingTransaction, type Root } from './movements.ts'

/** Where what an account's addresses hold came from. */
export interface Trace {
  /** Parts of a holding, the oldest first. */
  lots(chainId: number, address: Address, token: Address): readonly Lot[]
  /** All sources that ever arrived at the address, or at one that an observer can join it with: it never forgets. */
  associated(address: Address): ReadonlySet<Root>
  /** How often something arrived at the address that nobody had asked for. */
  unsolicited(address: Address): number
}

const keyOf = (chainId: number, address: Address, token: Address) => `${chainId}:${address}:${token}`

/** What a transaction left of one token at one address. */
interface Net {
  address: Address
  token: Address
  amount: bigint
  movements: Movement[]
}

/** What left addresses of the account: it goes on with what arrives in exchange. */
interface Carried {
  roots: ReadonlySet<Root>
  from: ReadonlySet<Address>
}

const NOTHING: Carried = { roots: new Set(), from: new Set() }

/**
 * Follows money through an account's addresses. A transaction is atomic: of each token only what it leaves at an address counts.
 * What arrives together with something that leaves, or by a quote under which something left, carries the sources of that. First
 * in, first out is a convention for showing: whoever looks at the chain sees addresses, and those that move or spend together
 * belong together for good.
 *
 * @param transactions In the order of the chain; of several chains, what left before what it arrived as.
 */
export function traceMovements(
  transactions: Iterable<MovingTransaction>,
  isOwn: (address: Address) => boolean,
): Trace {
  const holdings = new Map<string, readonly Lot[]>()
  const received = new Map<Address, ReadonlySet<Root>>()
  const unsolicited = new Map<Address, number>()
  const deposited = new Map<string, ReadonlySet<Root>>()
  const underway = new Map<string, Carried>()
  const components: Components<Address> = createComponents()

  const receive = (chainId: number, { address, token }: Net, lot: Lot) => {
    const key = keyOf(chainId, address, token)
    holdings.set(key, addLot(holdings.get(key) ?? [], lot))
    if (lot.isUnsolicited) unsolicited.set(address, (unsolicited.get(address) ?? 0) + 1)
    else received.set(address, (received.get(address) ?? new Set()).union(lot.roots))
  }

  function send(chainId: number, out: readonly Net[]): Carried {
    let roots = NOTHING.roots
    for (const { address, token, amount } of out) {
      const key = keyOf(chainId, address, token)
      const taken = takeLots(holdings.get(key) ?? [], -amount)
      holdings.set(key, taken.left)
      roots = roots.union(taken.roots)
    }
    return { roots, from: new Set(out.map(({ address }) => address)) }
  }

  function arrive(transaction: MovingTransaction, net: Net, carried: Carried): void {
    const { chainId, action } = transaction
    const { address } = net
    const give = (lot: Pick<Lot, 'kind' | 'roots'> & Partial<Lot>) =>
      receive(chainId, net, { ...describe(transaction, net), ...lot })
    if (isRelayed(transaction, net))
      return give({
        kind: 'private',
        roots: new Set([sourceOf('private', address)]),
        actions: new Set(['INCOGNITO_SELF_SEND']),
      })
    const back = transaction.recovered.find(({ depositor }) => depositor === address)
    if (back) {
      const roots = deposited.get(back.depositedBy ?? '') ?? new Set<Root>([OLDER])
      return give({ kind: 'carried', roots, actions: new Set(['POOL_RECOVER']) })
    }
    if (carried.from.size > 0) {
      for (const from of carried.from) components.join(from, address)
      const direct = carried.from
      return give({
        kind: action === null ? 'carried' : 'action',
        roots: carried.roots,
        direct,
        actions: new Set([action ?? 'SELF']),
      })
    }
    give({
      kind: 'fresh',
      roots: new Set([sourceOf('receive', address)]),
      isUnsolicited: net.movements.every((movement) => movement.isUnsolicited),
    })
  }

  for (const transaction of transactions) {
    const nets = netsOf(transaction, isOwn)
    const out = nets.filter(({ amount }) => amount < 0n)
    const sent = send(transaction.chainId, out)
    for (const one of sent.from) for (const other of sent.from) components.join(one, other)
    deposited.set(transaction.id, sent.roots)
    const { quoteId } = transaction
    if (quoteId !== null && out.length > 0) underway.set(quoteId, merge(underway.get(quoteId), sent))
    const carried = out.length > 0 || quoteId === null ? sent : (underway.get(quoteId) ?? NOTHING)
    for (const net of nets) if (net.amount > 0n) arrive(transaction, net, carried)
  }

  return {
    lots: (chainId, address, token) => holdings.get(keyOf(chainId, address, token)) ?? [],
    associated: (address) =>
      components
        .of(address)
        .reduce((sum, one) => sum.union(received.get(one) ?? NOTHING.roots), NOTHING.roots),
    unsolicited: (address) => unsolicited.get(address) ?? 0,
  }
}

const merge = (one: Carried | undefined, other: Carried): Carried =>
  one ? { roots: one.roots.union(other.roots), from: one.from.union(other.from) } : other

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

function describe(
  { chainId, txHash }: MovingTransaction,
  { address, amount, movements }: Net,
): Omit<Lot, 'kind' | 'roots'> {
  const first = movements.find(({ to }) => to === address)
  return {
    amount,
    direct: new Set([address]),
    actions: new Set(),
    isUnsolicited: false,
    receipt: first ? { chainId, txHash, index: first.index } : null,
  }
}
