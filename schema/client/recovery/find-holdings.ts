// SPDX-License-Identifier: MIT
/** Finds all that a wallet owns by its two keys and nodes of its user's choice, without the service. */
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { deriveSharedKeys, listStealthAddresses, type WalletKeys } from '../keys/stealth-keys.ts'
import { deriveMasterSecrets, notePhrase } from '../pool/note-secrets.ts'
import { readPool } from '../pool/read-pool.ts'
import type { OwnAddress } from './own-address.ts'
import {
  findArrivals,
  readCoins,
  readCollectibles,
  readKnownTokens,
  readTokens,
  readUnit,
  type Arrival,
  type CoinHolding,
  type CollectibleHolding,
  type TokenHolding,
} from './read-assets.ts'
import { findSales, type SaleHolding } from './read-sales.ts'
import { findDepositor, findPoolNotes, type NoteHolding } from './read-pool-events.ts'
import { listKnownTokens, type RecoveryChain } from './recovery-chain.ts'

export type Holding = CoinHolding | TokenHolding | CollectibleHolding | NoteHolding | SaleHolding

/** The present step of a search, for a person who waits. */
export interface SearchProgress {
  chain: string
  work: 'addresses' | 'arrivals' | 'pool' | 'sales'
  /** From 0 to 1. */
  done: number
}

export interface SearchOptions {
  /** So many addresses in a row that were never used end the search. Names give out addresses that are never paid. */
  gap?: number
  /** Block of each chain from which logs are read; 0 finds everything. */
  since?: Readonly<Record<number, bigint>>
  report?: (progress: SearchProgress) => void
}

export interface SearchResult {
  holdings: Holding[]
  /** Addresses that were searched. */
  searched: number
  /** Nonce of the last address that was ever used; null where none was. */
  lastUsed: number | null
  /** Parts of the search that a node refused. Their money may exist and is not in the holdings. */
  gaps: { chain: string; work: SearchProgress['work'] }[]
  /** Chains whose Entrypoint has no pool of the coin or of a token that was found: it may be a wrong one. */
  poolless: string[]
}

const GAP = 200

/** @throws Error where a node answers nothing. */
export async function findHoldings(
  keys: WalletKeys,
  chains: readonly RecoveryChain[],
  { gap = GAP, since = {}, report = () => undefined }: SearchOptions = {},
): Promise<SearchResult> {
  const search = new Search(keys, chains, { gap, since, report })
  await search.readUpTo(gap)
  const { holdings, gaps, poolless } = await search.readLogs()
  return { holdings, gaps, poolless, searched: search.count, lastUsed: search.lastUsed }
}

class Search {
  readonly #owners: OwnAddress[]
  readonly #coins: CoinHolding[] = []
  readonly #tokens: TokenHolding[] = []
  count = 0
  lastUsed: number | null = null
  readonly #keys: WalletKeys
  readonly #chains: readonly RecoveryChain[]
  readonly #options: Required<SearchOptions>

  constructor(keys: WalletKeys, chains: readonly RecoveryChain[], options: Required<SearchOptions>) {
    this.#keys = keys
    this.#chains = chains
    this.#options = options
    this.#owners = [{ nonce: null, address: deriveSharedKeys(keys).authAddress }]
  }

  /** Reads coins and known tokens of so many addresses, and of those behind each that was used. */
  async readUpTo(count: number): Promise<void> {
    while (this.count < count) {
      const from = this.count
      const derived = listStealthAddresses(this.#keys, { from, count: count - from })
      const fresh = from === 0 ? [...this.#owners, ...derived] : derived
      this.#owners.push(...derived)
      this.count = count
      for (const chain of this.#chains) {
        this.#options.report({ chain: chain.name, work: 'addresses', done: from / count })
        const { coins, used } = await readCoins(chain, fresh)
        const tokens = await readKnownTokens(chain, fresh)
        this.#coins.push(...coins)
        this.#tokens.push(...tokens)
        for (const { nonce } of [...used, ...tokens.map(({ owner }) => owner)]) this.#use(nonce)
      }
      count = Math.max(count, (this.lastUsed ?? -1) + 1 + this.#options.gap)
    }
  }

  /** Reads what the logs show: other tokens, collectibles, and notes of pools. */
  async readLogs() {
    const gaps: SearchResult['gaps'] = []
    const poolless: string[] = []
    const found: Holding[] = []
    const arrivals = new Map<RecoveryChain, Arrival[]>()
    for (const chain of this.#chains) arrivals.set(chain, await this.#findArrivals(chain, gaps))
    for (const chain of this.#chains) {
      const ofChain = arrivals.get(chain) ?? []
      const known = listKnownTokens(chain)
      const others = ofChain.filter(({ contract }) => !known.some((one) => isAddressEqual(one, contract)))
      const assets = [...new Set([...known, ...others.map(({ contract }) => contract)])]
      const { notes, pooled } = await this.#findNotes(chain, [zeroAddress, ...assets], gaps)
      if (chain.entrypoint && pooled.length === 0) poolless.push(chain.name)
      const tokens = (await readTokens(chain, others)).map((holding) => ({
        ...holding,
        // Its operator has looked at it.
        isKnown: pooled.some((token) => isAddressEqual(token, holding.token)),
      }))
      found.push(...tokens, ...(await readCollectibles(chain, ofChain)), ...notes)
      found.push(...(await this.#findSales(chain, gaps)))
    }
    return { holdings: [...this.#coins, ...this.#tokens, ...found], gaps, poolless }
  }

  async #findArrivals(chain: RecoveryChain, gaps: SearchResult['gaps']): Promise<Arrival[]> {
    const { since, report } = this.#options
    const options = {
      since: since[chain.chainId] ?? 0n,
      report: (done: number) => report({ chain: chain.name, work: 'arrivals', done }),
    }
    for (;;) {
      const { count } = this
      try {
        options.report(0)
        const arrivals = await findArrivals(chain, this.#owners, options)
        for (const { owner } of arrivals) this.#use(owner.nonce)
        // An address that has only ever received other tokens moves the end of the search.
        await this.readUpTo((this.lastUsed ?? -1) + 1 + this.#options.gap)
        if (this.count === count) return arrivals
      } catch {
        gaps.push({ chain: chain.name, work: 'arrivals' })
        return []
      }
    }
  }

  async #findSales(chain: RecoveryChain, gaps: SearchResult['gaps']): Promise<SaleHolding[]> {
    const { since, report } = this.#options
    try {
      return await findSales(chain, this.#owners, {
        since: since[chain.chainId] ?? 0n,
        report: (done) => report({ chain: chain.name, work: 'sales', done }),
      })
    } catch {
      gaps.push({ chain: chain.name, work: 'sales' })
      return []
    }
  }

  async #findNotes(chain: RecoveryChain, assets: readonly Address[], gaps: SearchResult['gaps']) {
    const { chainId, entrypoint, reader } = chain
    const { since, gap, report } = this.#options
    const master = deriveMasterSecrets(notePhrase(this.#keys.spendKey, this.#keys.viewKey).mnemonic)
    const found: NoteHolding[] = []
    const pooled: Address[] = []
    for (const token of entrypoint ? assets : []) {
      const pool = await readPool(reader, { chainId, entrypoint: entrypoint ?? zeroAddress, token }).catch(
        () => null,
      )
      if (!pool) continue
      pooled.push(token)
      try {
        const notes = await findPoolNotes(chain, pool, master, {
          since: since[chainId] ?? 0n,
          gap,
          report: (done) => report({ chain: chain.name, work: 'pool', done }),
        })
        if (notes.length === 0) continue
        const { symbol, decimals } = await readUnit(chain, token)
        for (const { note, depositor } of notes) {
          const owner = findDepositor(this.#owners, depositor)
          if (owner)
            found.push({ kind: 'note', chainId, owner, pool, symbol, decimals, note, amount: note.value })
        }
      } catch {
        gaps.push({ chain: chain.name, work: 'pool' })
      }
    }
    return { notes: found, pooled }
  }

  #use(nonce: number | null): void {
    if (nonce !== null && nonce > (this.lastUsed ?? -1)) this.lastUsed = nonce
  }
}
