import type { CommonQueryMethods } from 'slonik'
import type { PoolKey } from '../../../db/pool/notes/pool-conversions.ts'
import {
  isLeafInPlace,
  readHistoryMark,
  readHistoryPage,
  type HistoryPage,
  type LeafPlace,
} from '../../../db/pool/tree/pool-history.ts'
import { singleFlight } from '../../concurrency/coalesce-runs.ts'
import { countItems, createPiece, type ListPiece } from './list-column.ts'

/** The events of a pool up to a moment. It never changes; a later one shares its whole pieces. */
export interface PoolHistory {
  leaves: readonly ListPiece[]
  spent: readonly ListPiece[]
  ragequits: readonly ListPiece[]
  /** Leaves in the tree. */
  size: number
  spentCount: number
  ragequitCount: number
  /** The place of the newest leaf; null in a pool without leaves. */
  last: LeafPlace | null
}

/** The histories of pools, cached compressed in memory: about 100 bytes for each leaf and spent note. */
export interface PoolHistories {
  /** Reads the stored history; null while leaves are missing in it. Concurrent callers share the read. */
  read(pool: PoolKey): Promise<PoolHistory | null>
}

/** 4,096 leaves, or fewer at the end, with the other events between them. */
interface Chapter {
  leaves: ListPiece
  spent: ListPiece
  ragequits: ListPiece
  last: LeafPlace | null
}

interface Kept {
  mark: string
  /** Full chapters, which are unchanged while their last leaf is in place. */
  chapters: readonly Chapter[]
  history: PoolHistory
}

/** Creates the histories, which are read on first use. */
export function createPoolHistories(database: CommonQueryMethods): PoolHistories {
  const kept = new Map<string, Kept>()

  /** Returns the chapters that a reorg has left in place. */
  async function keepPlaced(pool: PoolKey, chapters: readonly Chapter[]): Promise<Chapter[]> {
    const placed = [...chapters]
    for (;;) {
      const last = placed.at(-1)?.last
      if (!last || (await isLeafInPlace(database, pool, last))) return placed
      placed.pop()
    }
  }

  async function build(pool: PoolKey, mark: string, known: readonly Chapter[]): Promise<Kept | null> {
    const chapters = await keepPlaced(pool, known)
    for (;;) {
      const page = await readHistoryPage(database, pool, chapters.at(-1)?.last ?? null)
      if (!page) return null
      const chapter = await createChapter(page)
      if (!page.isFull) return { mark, chapters, history: join([...chapters, chapter]) }
      chapters.push(chapter)
    }
  }

  const read = singleFlight(async (key: string): Promise<PoolHistory | null> => {
    const pool = parseKey(key)
    const known = kept.get(key)
    const mark = await readHistoryMark(database, pool)
    if (known?.mark === mark) return known.history
    const built = await build(pool, mark, known?.chapters ?? [])
    if (!built) return null
    const { last } = built.history
    // A reorg during the read may have mixed events of two chains.
    if (last && !(await isLeafInPlace(database, pool, last))) return null
    kept.set(key, built)
    return built.history
  })
  return { read: ({ chainId, address }) => read(`${chainId} ${address}`) }
}

function parseKey(key: string): PoolKey {
  const [chainId, address] = key.split(' ') as [string, string]
  return { chainId: Number(chainId), address }
}

async function createChapter({ last, leaves, spent, ragequits, isFull }: HistoryPage): Promise<Chapter> {
  const [first, second, third] = await Promise.all(
    [leaves, spent, ragequits].map((items) => createPiece(items, !isFull)),
  )
  return { last, leaves: first!, spent: second!, ragequits: third! }
}

function join(chapters: readonly Chapter[]): PoolHistory {
  const columnOf = (name: 'leaves' | 'spent' | 'ragequits') =>
    chapters.map((chapter) => chapter[name]).filter(({ count }) => count > 0)
  const [leaves, spent, ragequits] = [columnOf('leaves'), columnOf('spent'), columnOf('ragequits')]
  return {
    leaves,
    spent,
    ragequits,
    size: countItems(leaves),
    spentCount: countItems(spent),
    ragequitCount: countItems(ragequits),
    last: chapters.findLast(({ last }) => last !== null)?.last ?? null,
  }
}
