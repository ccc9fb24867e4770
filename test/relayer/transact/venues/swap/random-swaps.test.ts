import { test } from 'vitest'
import { randomSwapsStory } from '../../../../deep/random-swaps-story.ts'

const SEED = 1

test('swaps over pools of all sorts move the promised amounts, to the wei', () => randomSwapsStory(40, SEED))
