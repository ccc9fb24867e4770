import { expect, it } from 'vitest'
import { bridgeStory } from './bridge-story.ts'

it('after 200 random steps every order says what the contracts say, and what a fresh index would', async () => {
  const counts = await bridgeStory(200)
  // Steps that were all refused would show nothing.
  expect(Object.entries(counts).filter(([, times]) => times === 0)).toEqual([])
})
