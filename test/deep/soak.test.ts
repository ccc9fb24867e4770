import { expect, test } from 'vitest'
import { soakStory } from './soak-story.ts'

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600)

test('minutes of mixed load while threads die lose no request, and memory does not grow', async () => {
  const figures = await soakStory(SECONDS, 60, { endsThreads: true })
  for (const kind of ['quotes', 'duplicates', 'bad proofs']) expect(figures[kind]).toBeGreaterThan(20)
  expect((figures['exits'] ?? 0) + (figures['full heaps'] ?? 0)).toBeGreaterThan(3)
  process.stdout.write(`soak: ${JSON.stringify(figures)}\n`)
})

test('minutes of mixed load keep memory within bounds', async () => {
  const figures = await soakStory(SECONDS, 60, { endsThreads: false })
  process.stdout.write(`calm soak: ${JSON.stringify(figures)}\n`)
})
