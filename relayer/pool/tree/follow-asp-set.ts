import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { UniqueIntegrityConstraintViolationError, type DatabasePool } from 'slonik'
import { findAspSetState } from '../../../db/pool/tree/asp-set.ts'
import { type ProvingPool, MAX_LEAVES_ANSWER } from '../../../proving/proving-pool.ts'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { leaveRounds } from '../state/follow-reviews.ts'
import type { Pool, PoolState } from '../state/pool-state.ts'
import { takeAspList } from './take-asp-list.ts'
import { type LabelList, labelListOf } from './verify-list.ts'
import { readBoundedBytes } from '../../../proving/rpc/read-bounded.ts'

/** Milliseconds before a list is read again for a newer root of the chain. */
const SOON_MS = 200

/** Dependencies for following a chain's association set. */
export interface FollowAspSetParts {
  chain: RelayingChain
  pools: PoolState
  database: DatabasePool
  proving: ProvingPool
  logger: Logger
}

/** The running rounds; `stop` waits for the pending one. */
export interface FollowedAspSet {
  stop(): Promise<void>
}

class AspSetFollower implements FollowedAspSet {
  readonly #parts: FollowAspSetParts
  readonly #log: Logger
  readonly #url: string
  readonly #isLeftToAnother: () => boolean
  #forget = () => {}
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #isEnding = false
  #isFailing = false
  /** True if the chain had a new root during a read of the list, or its pools are not known yet. */
  #isDue = false
  /** The last rejected list: the same list cannot have the same root later. */
  #refused: { root: bigint; digest: string } | null = null

  constructor(parts: FollowAspSetParts, url: string) {
    this.#parts = parts
    this.#log = parts.logger.child({ chainId: parts.chain.config.chainId })
    this.#url = url
    this.#isLeftToAnother = leaveRounds(parts.chain)
  }

  start(): void {
    this.#schedule(0)
    this.#forget = this.#parts.pools.onAspRoot(() => {
      this.#isDue = true
      if (!this.#looking && !this.#isEnding) this.#schedule(0)
    })
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    this.#forget()
    clearTimeout(this.#timer)
    await this.#looking
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#looking = this.#run()
    }, afterMs)
  }

  async #run(): Promise<void> {
    const { asp } = this.#parts.chain.config.relayer
    this.#isDue = false
    try {
      if (!this.#isLeftToAnother()) await this.#lookOnce()
    } catch (error) {
      if (!this.#isFailing && !this.#isEnding)
        this.#log.warn(
          { err: error },
          'the labels of the association set cannot be verified; they are read again',
        )
      this.#isFailing = true
    }
    this.#looking = null
    if (!this.#isEnding) this.#schedule(this.#isDue ? SOON_MS : (asp?.pollIntervalMs ?? 0))
  }

  async #lookOnce(): Promise<void> {
    const { chain, pools, database } = this.#parts
    const root = pools.aspRoot()
    if (root === null || (await findAspSetState(database, chain.config.chainId))?.root === root) return
    // The pools are still being searched for while the root is read.
    if (pools.pools().length === 0) return void (this.#isDue = pools.isIncomplete())
    await this.#look(root)
    if (this.#isFailing) this.#log.info('the labels of the association set are known again')
    this.#isFailing = false
  }

  async #look(root: bigint): Promise<void> {
    const { pools, proving } = this.#parts
    let failure: unknown
    // The provider may not know one of the pools; they all have the same list.
    for (const pool of pools.pools().toSorted(byScope)) {
      if (this.#isEnding) return
      try {
        if (await this.#take(await readAspList(proving, this.#url, pool), root)) return
        failure = new Error("the ASP's list does not hash to the root on chain")
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  async #take(list: LabelList, root: bigint): Promise<boolean> {
    const { chain, database, proving } = this.#parts
    const digest = createHash('sha256').update(list.bytes).digest('base64')
    if (this.#refused?.root === root && this.#refused.digest === digest) return false
    try {
      const taken = await takeAspList(database, proving, chain.config.chainId, list, root)
      if (taken === 'other-root') this.#refused = { root, digest }
      return taken !== 'other-root'
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error
      this.#refused = { root, digest }
      throw new Error("the ASP's list has a label twice", { cause: error })
    }
  }
}

/**
 * Stores the labels that a chain's association set provider approved. If the Entrypoint's root differs from the
 * stored labels', the provider's list is read, and stored if it hashes to that root. The provider is asked when the
 * chain has a new root and then at regular times, independent of clients. Usually one of several instances does so.
 */
export function followAspSet(parts: FollowAspSetParts): FollowedAspSet {
  const url = parts.chain.config.relayer.asp?.url
  if (!url) return { async stop() {} }
  const follower = new AspSetFollower(parts, url)
  follower.start()
  return follower
}

const byScope = (one: Pool, other: Pool): number => (one.scope < other.scope ? -1 : 1)

const PATIENCE_MS = 60_000

/**
 * Reads the whole list of approved labels from an association set provider, so that it never learns which of them
 * matter.
 *
 * @throws Error if the provider does not answer, breaks the protocol or sends more than 64 MiB.
 */
async function readAspList(
  proving: ProvingPool,
  aspUrl: string,
  pool: { chainId: number; scope: bigint },
): Promise<LabelList> {
  const response = await fetch(`${aspUrl.replace(/\/+$/, '')}/${pool.chainId}/public/mt-leaves`, {
    headers: { 'x-pool-scope': String(pool.scope) },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`the ASP answered ${response.status}`)
  const answer = await readBoundedBytes(response, MAX_LEAVES_ANSWER)
  if (!answer) throw new Error(`the ASP answered more than ${MAX_LEAVES_ANSWER} bytes`)
  const labels = await proving.readLeaves(answer)
  if (!labels) throw new Error('the ASP answered no list of labels')
  return labelListOf(labels)
}
