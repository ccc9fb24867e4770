import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { UniqueIntegrityConstraintViolationError, type DatabasePool } from 'slonik'
import { findAspSetState } from '../../../db/pool/tree/asp-set.ts'
import { type ProvingPool, MAX_LEAVES_ANSWER } from '../../../proving/proving-pool.ts'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { leaveRounds } from '../state/leave-rounds.ts'
import type { Pool, PoolState } from '../state/pool-state.ts'
import { takeAspList } from './take-asp-list.ts'
import { type LabelList, labelListOf } from './verify-list.ts'
import { readBoundedBytes } from '../../../proving/read-bounded.ts'

/** Milliseconds before a list is read again for a newer root of the chain. */
const SOON_MS = 200

/** Dependencies for following a chain's association set. */
export interface FollowAspSetParts {
  chain: RelayingChain
  pools: PoolState
  database: DatabasePool
  proving: Pick<ProvingPool, 'readLeaves' | 'hashLeaves'>
  logger: Logger
}

/** The running rounds; `stop` waits for the pending one. */
export interface FollowedAspSet {
  stop(): Promise<void>
}

/**
 * Stores the labels that a chain's association set provider approved. If the Entrypoint's root differs from the
 * stored labels', the provider's list is read, and stored if it hashes to that root. The provider is asked when the
 * chain has a new root and then at regular times, independent of clients. Usually one of several instances does so.
 */
export function followAspSet(parts: FollowAspSetParts): FollowedAspSet {
  const { chain, pools, database, proving } = parts
  const { chainId, relayer } = chain.config
  const { asp } = relayer
  const log = parts.logger.child({ chainId })
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let isEnding = false
  let isFailing = false
  const isLeftToAnother = leaveRounds(chain)
  /** True if the chain had a new root during a read of the list, or its pools are not known yet. */
  let isDue = false
  /** The last rejected list: the same list cannot have the same root later. */
  let refused: { root: bigint; digest: string } | null = null

  async function take(list: LabelList, root: bigint): Promise<boolean> {
    const digest = createHash('sha256').update(list.bytes).digest('base64')
    if (refused?.root === root && refused.digest === digest) return false
    try {
      const isTaken = (await takeAspList({ database, proving }, chainId, list, root)) !== 'other-root'
      if (!isTaken) refused = { root, digest }
      return isTaken
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error
      refused = { root, digest }
      throw new Error("the ASP's list has a label twice", { cause: error })
    }
  }

  async function look(aspUrl: string, root: bigint): Promise<void> {
    let failure: unknown
    // The provider may not know one of the pools; they all have the same list.
    for (const pool of pools.pools().toSorted(byScope)) {
      if (isEnding) return
      try {
        if (await take(await readAspList(proving, aspUrl, pool), root)) return
        failure = new Error("the ASP's list does not hash to the root on chain")
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  async function lookOnce(aspUrl: string): Promise<void> {
    const root = pools.aspRoot()
    if (root === null || (await findAspSetState(database, chainId))?.root === root) return
    // The pools are still being searched for while the root is read.
    if (pools.pools().length === 0) return void (isDue = pools.isIncomplete())
    await look(aspUrl, root)
    if (isFailing) log.info('the labels of the association set are known again')
    isFailing = false
  }

  async function run(aspUrl: string): Promise<void> {
    isDue = false
    try {
      if (!isLeftToAnother()) await lookOnce(aspUrl)
    } catch (error) {
      if (!isFailing && !isEnding)
        log.warn({ err: error }, 'the labels of the association set cannot be verified; they are read again')
      isFailing = true
    }
    looking = null
    if (!isEnding) schedule(aspUrl, isDue ? SOON_MS : (asp?.pollIntervalMs ?? 0))
  }

  function schedule(aspUrl: string, afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      looking = run(aspUrl)
    }, afterMs)
  }

  const url = asp?.url
  if (!url) return { async stop() {} }
  schedule(url, 0)
  const forget = pools.onAspRoot(() => {
    isDue = true
    if (!looking && !isEnding) schedule(url, 0)
  })
  return {
    async stop() {
      isEnding = true
      forget()
      clearTimeout(timer)
      await looking
    },
  }
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
  proving: Pick<ProvingPool, 'readLeaves'>,
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
