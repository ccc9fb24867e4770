import { expect, test } from 'vitest'
import { createSimulationLimits } from '../../../../proving/simulation/evm/simulation-limits.ts'

const MORE_THAN_ONE_MAY_MS = 1_600

/** Computes in this thread for so long. */
function compute(ms: number): void {
  const since = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(since)
    if ((user + system) / 1_000 > ms) return
  }
}

test("a simulation's time excludes the computing of others while it waits, and includes its own", async () => {
  const limits = createSimulationLimits({ timeoutMs: 60_000, networkMs: 60_000 })
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const waits = [limits.wait(first.promise), limits.wait(second.promise)]
  first.resolve(1)
  await waits[0]
  compute(MORE_THAN_ONE_MAY_MS)
  second.resolve(2)
  expect(await Promise.all(waits)).toEqual([1, 2])
  limits.checkTime()
  compute(MORE_THAN_ONE_MAY_MS)
  expect(() => limits.checkTime()).toThrow('the simulation was given up')
})
