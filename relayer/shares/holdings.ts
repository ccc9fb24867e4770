import type { Client } from './client.ts'

interface Share<Item> {
  weight: number
  /** The oldest first. */
  items: Set<Item>
}

interface NetworkShare<Item> {
  weight: number
  accounts: Map<string | null, Share<Item>>
}

/**
 * Which client has which items, for what is divided by taking from whoever has most: first by network, then by account
 * within it.
 */
export class Holdings<Item> {
  readonly #networks = new Map<string, NetworkShare<Item>>()

  /** The item becomes the client's newest. */
  add({ network, account }: Client, item: Item, weight = 1): void {
    const ofNetwork = this.#networks.get(network) ?? { weight: 0, accounts: new Map() }
    this.#networks.set(network, ofNetwork)
    const ofAccount = ofNetwork.accounts.get(account) ?? { weight: 0, items: new Set() }
    ofNetwork.accounts.set(account, ofAccount)
    ofNetwork.weight += weight
    ofAccount.weight += weight
    ofAccount.items.add(item)
  }

  /** @param weight As it was added. */
  remove({ network, account }: Client, item: Item, weight = 1): void {
    const ofNetwork = this.#networks.get(network)
    const ofAccount = ofNetwork?.accounts.get(account)
    if (!ofNetwork || !ofAccount?.items.delete(item)) return
    ofNetwork.weight -= weight
    ofAccount.weight -= weight
    if (ofAccount.items.size === 0) ofNetwork.accounts.delete(account)
    if (ofNetwork.accounts.size === 0) this.#networks.delete(network)
  }

  /** What the client's network has, and of that the account. */
  of({ network, account }: Client): { network: number; account: number } {
    const ofNetwork = this.#networks.get(network)
    return { network: ofNetwork?.weight ?? 0, account: ofNetwork?.accounts.get(account)?.weight ?? 0 }
  }

  /** The oldest item of each client that has any. */
  *oldest(): Generator<Item> {
    for (const { accounts } of this.#networks.values())
      for (const { items } of accounts.values()) {
        const [oldest] = items
        if (oldest !== undefined) yield oldest
      }
  }

  /**
   * The items of the account that has most, of the network that has most; the oldest first.
   * @param spared An account that has this alone is passed over where its network has others.
   */
  ofHeaviest(spared?: Item): ReadonlySet<Item> {
    const network = heaviestOf(this.#networks.values())
    if (!network) return new Set()
    const accounts = [...network.accounts.values()]
    const others = accounts.filter(
      ({ items }) => spared === undefined || items.size > 1 || !items.has(spared),
    )
    return (heaviestOf(others) ?? heaviestOf(accounts))?.items ?? new Set()
  }
}

function heaviestOf<One extends { weight: number }>(all: Iterable<One>): One | undefined {
  let heaviest: One | undefined
  for (const one of all) if (!heaviest || one.weight > heaviest.weight) heaviest = one
  return heaviest
}
