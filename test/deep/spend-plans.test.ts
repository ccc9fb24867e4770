import { it } from 'vitest'
import { randomWalletsStory } from '../relayer/transact/pool-spending/random-wallets-story.ts'

it('ten thousand random wallets pay what recipients are to get, at most a basis point more, and break no bound', () =>
  randomWalletsStory(10_000))
