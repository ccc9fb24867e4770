import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { findAccountsOf } from '../../db/activity/account-activity.ts'
import type { IndexChange, Indexer } from '../chain/indexer/indexer.ts'
import { tooManyFollowers } from './errors.ts'

/** Maximum of followers per account. They share the read after a change, but each gets its own answer. */
const MOST_FOLLOWERS = 20

/** A change at some addresses of one account. */
export interface AccountChange {
  chainIds: ReadonlySet<number>
  /** When the last of its events was noticed, by `performance.now()`; the same for all followers. */
  changedAt: number
}

/** Notifies an account's followers of events at its addresses. */
export interface AccountChanges {
  /**
   * Admits a follower of an account until the signal is aborted; at most 20 at once, in each instance of the service.
   *
   * @throws ServiceError `too-many-requests`.
   */
  admit(accountId: string, signal: AbortSignal): void
  /** Yields every change until the signal is aborted. Changes that arrive faster than they are consumed are merged. */
  follow(accountId: string, signal: AbortSignal): AsyncGenerator<AccountChange>
}

interface Follower {
  tell(chainId: number, changedAt: number): void
}

/** Listens to the indexer while an account is followed: one query per change, whatever the number of followers. */
export function createAccountChanges(
  database: DatabasePool,
  indexer: Indexer,
  logger: Logger,
): AccountChanges {
  const followers = new Map<string, Set<Follower>>()
  const admitted = new Map<string, number>()
  let unlisten: (() => void) | null = null

  async function dispatch({ chainId, addresses }: IndexChange): Promise<void> {
    if (addresses.length === 0) return
    const accountIds = await findAccountsOf(database, addresses)
    const changedAt = performance.now()
    for (const accountId of accountIds)
      for (const follower of followers.get(accountId) ?? []) follower.tell(chainId, changedAt)
  }

  function add(accountId: string, follower: Follower): void {
    followers.set(accountId, (followers.get(accountId) ?? new Set()).add(follower))
    // A failed read loses nothing: the next change is delivered, and followers read the present state.
    unlisten ??= indexer.onChanged((change) => {
      dispatch(change).catch((error: unknown) =>
        logger.warn({ err: error, chainId: change.chainId }, 'a change was not told to those who follow it'),
      )
    })
  }

  function remove(accountId: string, follower: Follower): void {
    const those = followers.get(accountId)
    those?.delete(follower)
    if (those?.size === 0) followers.delete(accountId)
    if (followers.size > 0) return
    unlisten?.()
    unlisten = null
  }

  return {
    admit(accountId, signal) {
      const present = admitted.get(accountId) ?? 0
      if (present >= MOST_FOLLOWERS)
        throw tooManyFollowers(`An account is followed ${MOST_FOLLOWERS} times at most`)
      if (signal.aborted) return
      admitted.set(accountId, present + 1)
      const leave = () => {
        const left = (admitted.get(accountId) ?? 1) - 1
        if (left > 0) admitted.set(accountId, left)
        else admitted.delete(accountId)
      }
      signal.addEventListener('abort', leave, { once: true })
    },
    async *follow(accountId, signal) {
      let changed = new Set<number>()
      let lastAt = 0
      let wake = () => {}
      const follower: Follower = {
        tell(chainId, changedAt) {
          changed.add(chainId)
          lastAt = changedAt
          wake()
        },
      }
      const onAbort = () => wake()
      signal.addEventListener('abort', onAbort)
      add(accountId, follower)
      try {
        while (!signal.aborted) {
          if (changed.size > 0) {
            const chainIds = changed
            changed = new Set()
            yield { chainIds, changedAt: lastAt }
            continue
          }
          await new Promise<void>((resolve) => {
            wake = resolve
            if (changed.size > 0 || signal.aborted) resolve()
          })
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        remove(accountId, follower)
      }
    },
  }
}
