import { it } from 'vitest'
import { randomWalletsStory } from '../relayer/transact/pool-spending/random-wallets-story.ts'

it("ten thousand random wallets pay the recipients' amounts, at most a basis point more, and break no bound", () =>
  randomWalletsStory(10_000))
