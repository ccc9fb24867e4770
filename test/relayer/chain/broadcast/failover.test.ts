import { describe, test } from 'vitest'
import { hasDebianPostgres } from '../../../harness/start-debian-postgres.ts'
import { tellFailoverStory } from './failover-story.ts'

describe.runIf(hasDebianPostgres('a standby that is promoted'))('with a synchronous standby', () => {
  test('what was acknowledged when the primary died is sent once and booked once by the promoted standby', () =>
    tellFailoverStory(30))
})
