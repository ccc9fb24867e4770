import { test } from 'vitest'
import { randomSwapsStory } from './random-swaps-story.ts'

test('a thousand random swaps over random pools move the promised amounts, to the wei', () =>
  randomSwapsStory(1_000))
