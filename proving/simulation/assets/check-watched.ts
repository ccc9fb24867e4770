import type { AssetChange, BalanceChange, Watch } from '../../simulate-job.ts'
import type { WatchedBalances, Hex, SimulatedLog } from '../provider.ts'
import { decodeTransfers } from './decode-transfers.ts'

/** The address under which nodes log transfers of the native coin on request, as if it were a token. */
const NATIVE_EMITTER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

const isNative = (emitter: Hex): boolean => emitter.toLowerCase() === NATIVE_EMITTER

/** The report of a node's run of a watched call. */
export interface WatchedRun {
  /** Includes the logs of native transfers. */
  logs: readonly SimulatedLog[]
  before: WatchedBalances
  after: WatchedBalances
}

/** Returns the change of each watched balance, owner by owner. */
export const readChanges = (
  { owners, tokens }: Watch,
  { before, after }: Pick<WatchedRun, 'before' | 'after'>,
): BalanceChange[] =>
  owners.flatMap((owner, i) =>
    tokens.map((token, j) => {
      const place = i * tokens.length + j
      const [had, has] = [before[place] ?? null, after[place] ?? null]
      return { owner, token, change: had === null || has === null ? null : has - had }
    }),
  )

/**
 * Returns the movements that a watched run reported, and whether they explain every change of the given owners. They do if
 * each balance changed exactly as the logs say, and no log names such an owner with a token that was not read.
 */
export function checkWatched(
  watch: Watch,
  { logs, before, after }: WatchedRun,
): {
  logs: readonly SimulatedLog[]
  changes: AssetChange[]
  complete: boolean
  watched: readonly BalanceChange[]
} {
  const told = decodeTransfers(logs)
  const changes = told.changes.map((change): AssetChange =>
    change.token !== null && isNative(change.token) ? { ...change, type: 'native', token: null } : change,
  )
  const unexplained = new Map<string, bigint>()
  const watched = readChanges(watch, { before, after })
  const toExplain = new Set(watch.explain.map((owner) => owner.toLowerCase()))
  let complete = toExplain.size === 0 || !told.undecodable
  const keyOf = (owner: Hex, token: Hex | null) => `${owner} ${token}`.toLowerCase()
  for (const { owner, token, change } of watched) {
    if (!toExplain.has(owner.toLowerCase())) continue
    if (change === null) complete = false
    else unexplained.set(keyOf(owner, token), change)
  }
  const explain = (owner: Hex, { type, token }: AssetChange, amount: bigint) => {
    if (!toExplain.has(owner.toLowerCase())) return
    const key = keyOf(owner, token)
    const left = unexplained.get(key)
    if (left === undefined || (type !== 'native' && type !== 'erc20')) complete = false
    else unexplained.set(key, left - amount)
  }
  for (const change of changes) {
    explain(change.from, change, -change.amount)
    explain(change.to, change, change.amount)
  }
  if ([...unexplained.values()].some((left) => left !== 0n)) complete = false
  return { logs: logs.filter(({ address }) => !isNative(address)), changes, complete, watched }
}
