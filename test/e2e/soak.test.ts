import { expect, test } from 'vitest'
import { soakStory } from '../deep/soak-story.ts'

type Counts = Readonly<Record<string, number>>

const endedThreads = (counts: Counts) => (counts['exits'] ?? 0) + (counts['full heaps'] ?? 0)
const isEnough = (counts: Counts) =>
  endedThreads(counts) > 1 && ['quotes', 'duplicates', 'bad proofs'].every((kind) => (counts[kind] ?? 0) > 3)

test(
  'two seconds of mixed load while threads die lose no request, and the books equal the chain',
  { timeout: 300_000 },
  async () => {
    const figures = await soakStory(2, 4, { endsThreads: true, isEnough })
    expect(isEnough(figures)).toBe(true)
  },
)
