import type { CommonQueryMethods } from 'slonik'
import { findAspSetState, readAspPage } from '../../../db/pool/tree/asp-set.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { createPiece, type ListPiece } from './list-column.ts'

/** The labels of a chain's association set, verified when they were stored. It never changes. */
export interface AspList {
  /** The root of the labels. */
  root: bigint
  size: number
  labels: readonly ListPiece[]
}

/** The association sets of the chains, cached compressed in memory: about 36 bytes for each label. */
export interface AspLists {
  /** Reads the stored list; null if there is none, or while it is being changed. Concurrent callers share the read. */
  read(chainId: number): Promise<AspList | null>
}

const PIECE = 4_096

interface Kept extends AspList {
  lineage: string
}

/** Creates the lists, which are read on first use. */
export function createAspLists(database: CommonQueryMethods): AspLists {
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
