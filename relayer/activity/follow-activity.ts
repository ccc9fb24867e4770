import { shareReadings } from '../concurrency/share-readings.ts'
import type { Activity, ActivityItem } from './activity.ts'
import type { Explained } from './explained.ts'

/** Maximum of activities sent to a follower at once; a client that was away longer reads the list. */
const NEWEST = 50
/** Number of remembered keys, which prevent sending an activity twice. */
const REMEMBERED = 1_000

/** Creates the follower of activities, whose pages are read once for all followers of an account. */
export function createActivityFollower(list: Activity['list']): Activity['follow'] {
  const share = shareReadings<readonly Explained<ActivityItem>[]>()
  const readNewest = async (accountId: string) =>
    (await list(accountId, { limit: NEWEST, cursor: undefined, hideLikelySpam: false })).items

  return async function* follow(accountId, changes) {
    // The first `next()` subscribes; activities that exist by then are not new.
    let next = changes.next()
    const told = new Set((await readNewest(accountId)).map(keyOf))
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = changes.next()
      const newest = await share(accountId, value.changedAt, () => readNewest(accountId))
      for (const added of newest.toReversed()) {
        if (told.has(keyOf(added))) continue
        told.add(keyOf(added))
        yield added
      }
      for (const oldest of told) {
        if (told.size <= REMEMBERED) break
        told.delete(oldest)
      }
    }
  }
}

const keyOf = ({ chainId, txHash, quoteId, kind }: Explained<ActivityItem>) =>
  kind === 'INCOGNITO_SEND' || txHash === null ? `${quoteId}` : `${chainId}:${txHash}`
