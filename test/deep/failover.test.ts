import { describe, test } from 'vitest'
import { hasDebianPostgres } from '../harness/start-debian-postgres.ts'
import { tellFailoverStory } from '../relayer/chain/broadcast/failover-story.ts'

describe.runIf(hasDebianPostgres('standbys that are promoted, many times'))(
  'with a synchronous standby',
  () => {
    test.each(Array.from({ length: 5 }, (_, round) => 200 + 50 * round))(
      'of %i calls all that were acknowledged are sent and booked once when the primary dies among them',
      (count) => tellFailoverStory(count),
    )
  },
)
