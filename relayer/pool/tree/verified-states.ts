import type { CommonQueryMethods } from 'slonik'
import { countApprovedDeposits } from '../../../db/pool/tree/pool-history.ts'
import type { Pool, PoolState } from '../state/pool-state.ts'
import { createPoolHistories, type PoolHistory } from './pool-histories.ts'
import { findAspSetState, readAspPage } from '../../../db/pool/tree/asp-set.ts'
import { singleFlight } from '../../concurrency/coalesce-runs.ts'
import { createPiece, type ListPiece } from './list-column.ts'

/** A pool's history and its chain's association set, both equal to the chain. */
export interface VerifiedState {
  history: PoolHistory
  /** Null while the Entrypoint has no root. */
  asp: AspList | null
  crowd: readonly CrowdStep[]
}

/** The stored states of pools that agree with the chain. */
export interface VerifiedStates {
  /**
   * Returns the newest state whose leaves end with a root that the pool knows. Its labels hash to the Entrypoint's
   * latest root. It is the stored state, or the last one that was read if that still agrees; null otherwise.
   */
  read(pools: PoolState, pool: Pool): Promise<VerifiedState | null>
}

/** Creates the states, which are read on first use. */
export function createVerifiedStates(database: CommonQueryMethods): VerifiedStates {
  const histories = createPoolHistories(database)
  const aspLists = createAspLists(database)
  const lastGood = new Map<string, VerifiedState>()
  const crowds = new Map<string, { of: string; crowd: Promise<readonly CrowdStep[]> }>()

  /** Counted once for each list of labels: later deposits are in no list. */
  async function readCrowd(pool: Pool, history: PoolHistory, asp: AspList | null) {
    if (!asp) return []
    const key = keyOf(pool)
    const of = `${asp.root} ${history.ragequitCount}`
    const known = crowds.get(key)
    if (known?.of === of) return known.crowd
    const crowd = countApprovedDeposits(database, pool).then(computeCrowd)
    crowds.set(key, { of, crowd })
    crowd.catch(() => crowds.delete(key))
    return crowd
  }

  async function isOfChain(pools: PoolState, pool: Pool, history: PoolHistory, asp: AspList | null) {
    if (!pools.isFresh()) return false
    const isRootLatest = asp ? pools.isLatestAspRoot(asp.root) : pools.aspRoot() === null
    if (!(await isRootLatest)) return false
    return history.last ? pools.knowsStateRoot(pool, history.last.root) : pools.isEmpty(pool)
  }

  return {
    async read(pools, pool) {
      const key = keyOf(pool)
      const [history, asp] = await Promise.all([histories.read(pool), aspLists.read(pool.chainId)])
      if (history && (await isOfChain(pools, pool, history, asp))) {
        const state = { history, asp, crowd: await readCrowd(pool, history, asp) }
        lastGood.set(key, state)
        return state
      }
      const last = lastGood.get(key)
      return last && (await isOfChain(pools, pool, last.history, last.asp)) ? last : null
    },
  }
}

const keyOf = ({ chainId, address }: Pool) => `${chainId} ${address}`

/** The labels of a chain's association set, verified when they were stored. It never changes. */
interface AspList {
  /** The root of the labels. */
  root: bigint
  size: number
  labels: readonly ListPiece[]
}

/** The association sets of the chains, cached compressed in memory: about 36 bytes for each label. */
interface AspLists {
  /** Reads the stored list; null if there is none, or while it is being changed. Concurrent callers share the read. */
  read(chainId: number): Promise<AspList | null>
}

const PIECE = 4_096

interface Kept extends AspList {
  lineage: string
}

/** Creates the lists, which are read on first use. */
function createAspLists(database: CommonQueryMethods): AspLists {
  const kept = new Map<number, Kept>()

  async function build(chainId: number, lineage: string, known: readonly ListPiece[]): Promise<Kept | null> {
    const labels = [...known]
    for (;;) {
      const page = await readAspPage(database, chainId, { from: labels.length * PIECE, count: PIECE })
      // Labels were replaced since the earlier pieces were read.
      if (!page || page.lineage !== lineage) return null
      const count = Math.min(PIECE, page.size - labels.length * PIECE)
      const isFull = count === PIECE
      if (count > 0) labels.push(await createPiece({ count, text: page.text }, !isFull))
      if (!isFull) return { lineage, labels, root: page.root, size: page.size }
    }
  }

  const read = singleFlight(async (chainId: number): Promise<AspList | null> => {
    const known = kept.get(chainId)
    const state = await findAspSetState(database, chainId)
    if (!state) return null
    const isSame = known?.lineage === state.lineage
    if (isSame && known.root === state.root && known.size === state.size) return known
    const whole = isSame ? known.labels.filter(({ count }) => count === PIECE) : []
    const built = await build(chainId, state.lineage, whole)
    if (built) kept.set(chainId, built)
    return built
  })
  return { read }
}

/** The number of deposits of at least an amount, in the token's smallest unit. */
export interface CrowdStep {
  atLeast: bigint
  deposits: number
}

/**
 * Computes the crowd of a pool in steps of 1, 2 and 5. Steps allow clients to look an amount up without naming it.
 *
 * @param counts Deposits by value rounded down to a step, the smallest first.
 * @returns Every step from the smallest to the largest that has deposits.
 */
function computeCrowd(counts: readonly { step: bigint; deposits: number }[]): CrowdStep[] {
  const [first, last] = [counts[0], counts.at(-1)]
  if (!first || !last) return []
  const byStep = new Map(counts.map(({ step, deposits }) => [step, deposits]))
  const crowd: CrowdStep[] = []
  let left = counts.reduce((total, { deposits }) => total + deposits, 0)
  for (let step = first.step; step <= last.step; step = nextStep(step)) {
    crowd.push({ atLeast: step, deposits: left })
    left -= byStep.get(step) ?? 0
  }
  return crowd
}

const nextStep = (step: bigint): bigint => (String(step).startsWith('2') ? (step * 5n) / 2n : step * 2n)
