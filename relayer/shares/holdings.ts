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

/** Items by network, and within it by account, for resources that are reclaimed from the client with the most. */
export class Holdings<Item> {
  readonly #networks = new Map<string, NetworkShare<Item>>()

  /** Adds the item as the client's newest. */
  add({ network, account }: Client, item: Item, weight = 1): void {
    const ofNetwork = this.#networks.get(network) ?? { weight: 0, accounts: new Map() }
    this.#networks.set(network, ofNetwork)
    const ofAccount = ofNetwork.accounts.get(account) ?? { weight: 0, items: new Set() }
    ofNetwork.accounts.set(account, ofAccount)
    ofNetwork.weight += weight
    ofAccount.weight += weight
    ofAccount.items.add(item)
  }

  /** @param weight The weight that it was added with. */
  remove({ network, account }: Client, item: Item, weight = 1): void {
    const ofNetwork = this.#networks.get(network)
    const ofAccount = ofNetwork?.accounts.get(account)
    if (!ofNetwork || !ofAccount?.items.delete(item)) return
    ofNetwork.weight -= weight
    ofAccount.weight -= weight
    if (ofAccount.items.size === 0) ofNetwork.accounts.delete(account)
    if (ofNetwork.accounts.size === 0) this.#networks.delete(network)
  }

  /** Returns the weight of the client's network, and that of the account within it. */
  of({ network, account }: Client): { network: number; account: number } {
    const ofNetwork = this.#networks.get(network)
    return { network: ofNetwork?.weight ?? 0, account: ofNetwork?.accounts.get(account)?.weight ?? 0 }
  }

  /** Yields the oldest item of each client that has any. */
  *oldest(): Generator<Item> {
    for (const { accounts } of this.#networks.values())
      for (const { items } of accounts.values()) {
        const [oldest] = items
        if (oldest !== undefined) yield oldest
      }
  }

  /**
   * Returns the items of the heaviest account of the heaviest network, oldest first.
   * @param spared Passes over an account whose only item this is, if its network has other accounts.
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
