import type { Address } from 'viem'
import { AssociationSet } from './association-set.ts'
import type { ChainRecord, PoolEvent, PublishedRoot } from './read-chain.ts'

/** The association set provider's decision about a deposit. */
export type AspDecision = 'pending' | 'approved' | 'declined'

const CID_PREFIX = 'devnet-labels-'
const CID_LENGTH = 46

/** The text beside a root on chain: the number of its labels, from which a new ASP process resumes. */
export const writeCid = (size: number): string =>
  CID_PREFIX + String(size).padStart(CID_LENGTH - CID_PREFIX.length, '0')

function readCid({ ipfsCid }: PublishedRoot): number | null {
  return /^devnet-labels-\d{32}$/.test(ipfsCid) ? Number(ipfsCid.slice(CID_PREFIX.length)) : null
}

/**
 * Approves the deposits of a chain in chain order, except those of declined depositors, each some time after it was
 * first seen. The order makes the set recoverable: it is always the first so many eligible deposits.
 */
export class DepositReviewer {
  readonly #declined: Set<Address>
  readonly #delayMs: number
  readonly #now: () => number
  readonly #seenAt = new Map<bigint, number>()
  /** The last root found on chain, and how many of the labels it is of. */
  #adopted: { root: bigint; size: number } | null = null
  readonly set = new AssociationSet()

  constructor(options: { declined: readonly Address[]; delayMs: number; now?: () => number }) {
    this.#declined = new Set(options.declined)
    this.#delayMs = options.delayMs
    this.#now = options.now ?? Date.now
  }

  /** Brings the set up to date with the record; its root differs from the published one when that is to be replaced. */
  update(record: ChainRecord): void {
    const now = this.#now()
    const eligible = record.events.filter((event) => isDeposit(event) && !this.#declined.has(event.address))
    const labels = eligible.map(({ label }) => label as bigint)
    for (const label of labels) if (!this.#seenAt.has(label)) this.#seenAt.set(label, now)
    const waiting = labels.findIndex((label) => now - (this.#seenAt.get(label) ?? now) < this.#delayMs)
    const ripe = waiting === -1 ? labels.length : waiting
    const size = Math.max(ripe, this.#publishedSize(record, labels))
    this.set.replace(labels.slice(0, size))
  }

  /** Never approves deposits of this depositor again; those that are in the set leave it. */
  decline(depositor: Address): void {
    this.#declined.add(depositor)
  }

  status({ address, label }: Pick<PoolEvent, 'address' | 'label'>): AspDecision {
    if (this.#declined.has(address)) return 'declined'
    return label !== null && this.set.has(label) ? 'approved' : 'pending'
  }

  /**
   * How many of the labels the last root on chain covers: as its text says, or all of them; 0 when it matches
   * neither.
   */
  #publishedSize(record: ChainRecord, labels: readonly bigint[]): number {
    const published = record.roots.at(-1)
    if (!published) return 0
    if (published.root === this.#adopted?.root) return this.#adopted.size
    const claims = [readCid(published), labels.length].filter(
      (size): size is number => size !== null && size <= labels.length,
    )
    const probe = new AssociationSet()
    const size = claims.find((claim) => {
      probe.replace(labels.slice(0, claim))
      return probe.root === published.root
    })
    this.#adopted = { root: published.root, size: size ?? 0 }
    return this.#adopted.size
  }
}

const isDeposit = (event: PoolEvent): boolean => event.type === 'deposit'
