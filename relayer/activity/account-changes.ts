import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { findAccountsOf } from '../../db/activity/account-activity.ts'
import type { IndexChange, Indexer } from '../chain/indexer/indexer.ts'
import { yieldMerged } from '../concurrency/yield-merged.ts'
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
  let unlisten: (() => void) | null = null

  function add(accountId: string, follower: Follower): void {
    followers.set(accountId, (followers.get(accountId) ?? new Set()).add(follower))
    // A failed read loses nothing: the next change is delivered, and followers read the present state.
    unlisten ??= indexer.onChanged((change) => {
      dispatch(database, followers, change).catch((error: unknown) =>
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
    admit: createAdmissions(),
    follow(accountId, signal) {
      let changed = new Set<number>()
      let changedAt = 0
      return yieldMerged(signal, {
        take() {
          if (changed.size === 0) return null
          const chainIds = changed
          changed = new Set()
          return { chainIds, changedAt }
        },
        listen(wake) {
          const follower: Follower = {
            tell(chainId, at) {
              changed.add(chainId)
              changedAt = at
              wake()
            },
          }
          add(accountId, follower)
          return () => remove(accountId, follower)
        },
      })
    },
  }
}

async function dispatch(
  database: DatabasePool,
  followers: ReadonlyMap<string, ReadonlySet<Follower>>,
  { chainId, addresses }: IndexChange,
): Promise<void> {
  if (addresses.length === 0) return
  const accountIds = await findAccountsOf(database, addresses)
  const changedAt = performance.now()
  for (const accountId of accountIds)
    for (const follower of followers.get(accountId) ?? []) follower.tell(chainId, changedAt)
}

/** Counts the followers of each account, and refuses those beyond the limit. */
function createAdmissions(): AccountChanges['admit'] {
  const admitted = new Map<string, number>()
  return (accountId, signal) => {
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
  }
}
