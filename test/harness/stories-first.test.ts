import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { StoriesFirst } from './stories-first.ts'

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

it("the few lines that start a story come before larger files without an earlier run's times", async () => {
  const project = { name: '', config: { isolate: false, sequence: { groupOrder: 0 } } }
  const files = [
    'db/migrate.test.ts',
    'e2e/kill.test.ts',
    'e2e/send.test.ts',
    'e2e/reorg-storm.test.ts',
    'e2e/demo.test.ts',
  ].map((file) => ({ moduleId: pathOf(file), project }) as TestSpecification)
  const sequencer = new StoriesFirst({
    cache: { getTestSpecificationResult: () => undefined },
  } as unknown as Vitest)
  const sorted = await sequencer.sort(files)
  expect(sorted.map(({ moduleId }) => moduleId).slice(0, 3)).toEqual(
    ['e2e/demo.test.ts', 'e2e/reorg-storm.test.ts', 'e2e/kill.test.ts'].map(pathOf),
  )
  expect(sorted).toHaveLength(files.length)
})
