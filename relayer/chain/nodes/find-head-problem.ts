import type { Chain } from './chain.ts'

/** A head is overdue after this many block times. */
const OVERDUE_BLOCKS = 20
/** A head of this age says that no other instance reads it. */
const SILENT_AFTER_MS = 5_000
/** Block time until the chain's pace is known: Ethereum's, with an occasional empty slot. */
const ASSUMED_BLOCK_MS = 15_000

/** Returns the milliseconds since a block was made, by its own timestamp. */
export const blockAgeMs = ({ timestamp }: { timestamp: bigint }, now: number): number =>
  Math.max(0, now - Number(timestamp) * 1_000)

/** Describes why a chain's head is unreliable at `now` (milliseconds); null if it is reliable. */
export function findHeadProblem(
  chain: Pick<Chain, 'config' | 'head' | 'usualBlockMs' | 'nodes'>,
  now: number,
): string | null {
  const head = chain.head()
  const isSilent = head !== null && areNodesSilent(chain, now)
  if (!head || isSilent || !isHeadFresh(chain, now)) {
    const details = chain.nodes
      .statuses()
      .flatMap(({ name, detail }) => (detail ? [`${name} ${detail}`] : []))
    return [isSilent ? 'no node answers' : 'its head is stale', ...details].join('; ')
  }
  if (chain.config.blocksOnDemand) return null
  const age = blockAgeMs(head, now)
  const usual = chain.usualBlockMs()
  if (age <= Math.max(chain.config.staleAfterMs, OVERDUE_BLOCKS * (usual ?? ASSUMED_BLOCK_MS))) return null
  const seconds = (milliseconds: number) => `${Math.round(milliseconds / 100) / 10} s`
  const expected = usual === null ? '' : `, though one comes every ${seconds(usual)}`
  return `its head does not move: block ${head.number} is ${seconds(age)} old${expected}`
}

/** True if no node of a chain answers, and no other instance has read its head lately either. */
export function areNodesSilent(chain: Pick<Chain, 'head' | 'nodes'>, now: number): boolean {
  const statuses = chain.nodes.statuses()
  const isSilent = statuses.every(({ problem }) => problem === 'silent' || problem === 'other-chain')
  return statuses.length > 0 && isSilent && now - (chain.head()?.seenAt ?? 0) > SILENT_AFTER_MS
}

/** True if a chain's newest head was read at most `staleAfterMs` before `now` (milliseconds). */
export function isHeadFresh(chain: Pick<Chain, 'config' | 'head'>, now: number): boolean {
  const head = chain.head()
  return head !== null && now - head.seenAt <= chain.config.staleAfterMs
}
