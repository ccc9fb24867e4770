import type { AssetChange, Watch } from '../../simulate-job.ts'
import type { Balances, Hex, SimulatedLog } from '../provider.ts'
import { decodeTransfers } from './decode-transfers.ts'

/** Where nodes say that they tell transfers of the native coin, when they are asked to: as if it were a token. */
const NATIVE_EMITTER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

const isNative = (emitter: Hex): boolean => emitter.toLowerCase() === NATIVE_EMITTER

/** What a node's run of a watched call told. */
export interface WatchedRun {
  /** With those that tell native transfers. */
  logs: readonly SimulatedLog[]
  before: Balances
  after: Balances
}

/**
 * The movements that a watched run told, and whether they are all that happened to the watched owners: every balance that
 * was read changed by exactly what the logs say, and no log names an owner with a token that was not read.
 */
export function checkWatched(
  { owners, tokens }: Watch,
  { logs, before, after }: WatchedRun,
): { logs: readonly SimulatedLog[]; changes: AssetChange[]; complete: boolean } {
  const told = decodeTransfers(logs)
  const changes = told.changes.map((change): AssetChange =>
    change.token !== null && isNative(change.token) ? { ...change, type: 'native', token: null } : change,
  )
  const unexplained = new Map<string, bigint>()
  let complete = !told.undecodable
  const keyOf = (owner: Hex, token: Hex | null) => `${owner} ${token}`.toLowerCase()
  for (const [i, owner] of owners.entries())
    for (const [j, token] of tokens.entries()) {
      const place = i * tokens.length + j
      const [had, has] = [before[place] ?? null, after[place] ?? null]
      if (had === null || has === null) complete = false
      else unexplained.set(keyOf(owner, token), has - had)
    }
  const watched = new Set(owners.map((owner) => owner.toLowerCase()))
  const explain = (owner: Hex, { type, token }: AssetChange, amount: bigint) => {
    if (!watched.has(owner.toLowerCase())) return
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
  return { logs: logs.filter(({ address }) => !isNative(address)), changes, complete }
}
