import type { Chain, Head } from './chain.ts'
import { isHeadFresh } from './is-head-fresh.ts'

/** A head that is older than so many blocks take is overdue. */
const OVERDUE_BLOCKS = 20
/** Until the chain's pace is known: Ethereum's, with a slot that stays empty now and then. */
const ASSUMED_BLOCK_MS = 15_000

/** Milliseconds since a block was made, by its own timestamp. */
export const blockAgeMs = ({ timestamp }: Pick<Head, 'timestamp'>, now: number): number =>
  Math.max(0, now - Number(timestamp) * 1_000)

/** Why a chain's head cannot be relied on at `now` (milliseconds), for people; null if it can. */
export function findHeadProblem(
  chain: Pick<Chain, 'config' | 'head' | 'usualBlockMs' | 'nodes'>,
  now: number,
): string | null {
  const head = chain.head()
  if (!head || !isHeadFresh(chain, now)) {
    const details = chain.nodes
      .statuses()
      .flatMap(({ name, detail }) => (detail ? [`${name} ${detail}`] : []))
    return ['its head is stale', ...details].join('; ')
  }
  if (chain.config.blocksOnDemand) return null
  const age = blockAgeMs(head, now)
  const usual = chain.usualBlockMs()
  if (age <= Math.max(chain.config.staleAfterMs, OVERDUE_BLOCKS * (usual ?? ASSUMED_BLOCK_MS))) return null
  const seconds = (milliseconds: number) => `${Math.round(milliseconds / 100) / 10} s`
  const expected = usual === null ? '' : `, though one comes every ${seconds(usual)}`
  return `its head does not move: block ${head.number} is ${seconds(age)} old${expected}`
}
