import { expect, it } from 'vitest'
import { bridgeStory } from './bridge-story.ts'

it('after 200 random steps every order agrees with the contracts, and with a fresh index', async () => {
  const counts = await bridgeStory(200)
  // Steps that were all refused would show nothing.
  expect(Object.entries(counts).filter(([, times]) => times === 0)).toEqual([])
})
