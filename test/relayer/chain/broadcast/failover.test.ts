import { describe, test } from 'vitest'
import { hasDebianPostgres } from '../../../harness/start-debian-postgres.ts'
import { tellFailoverStory } from './failover-story.ts'

describe.runIf(hasDebianPostgres('a standby that is promoted'))('with a synchronous standby', () => {
  test('the promoted standby sends and books once each send that the dead primary had acknowledged', () =>
    tellFailoverStory(30))
})
