import { createProvingPool, type ProvingPoolOptions } from '../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../proving/proving-pool.ts'

interface SharedPool {
  starting: Promise<ProvingPool>
  users: number
}

/** Pools that stay open for the test files that follow: one with the devnet's key, and one without keys. */
const MOST_KEPT = 2

/**
 * Its bound of all simulations is the highest, in milliseconds: those who ask say how long theirs may take, and a busy machine
 * takes seconds. No proof is drawn for a second verification, which would start one more thread.
 */
const PATIENT = { simulateTimeoutMs: 60_000, crossCheckOneIn: 0 }

/** By their settings, the one that was asked for last at the end. */
const kept = new Map<string, SharedPool>()

/**
 * A proving pool like the one that `createProvingPool` starts, shared by all tests of this process with the same
 * settings. Starting the threads and loading the verifier and the EVM costs more CPU time than many a test file.
 * `close` gives it back. Tests of the pool itself, and of lost threads, start their own.
 */
export async function shareProvingPool(options: ProvingPoolOptions): Promise<ProvingPool> {
  const { logger: _, ...others } = options
  const given = { ...others, ...PATIENT }
  const settings = JSON.stringify(given)
  const shared = kept.get(settings) ?? { starting: createProvingPool(given), users: 0 }
  shared.users += 1
  kept.delete(settings)
  kept.set(settings, shared)
  for (const [oldest, replaced] of kept) {
    if (kept.size <= MOST_KEPT) break
    kept.delete(oldest)
    await closeIfUnused(replaced)
  }
  const pool = await shared.starting
  let isGivenBack = false
  return {
    ...pool,
    async close() {
      if (isGivenBack) return
      isGivenBack = true
      shared.users -= 1
      if (kept.get(settings) !== shared) await closeIfUnused(shared)
    },
  }
}

/** Ends the threads of unused pools. */
export async function closeSharedPools(): Promise<void> {
  const pools = [...kept.values()]
  kept.clear()
  for (const pool of pools) await closeIfUnused(pool)
}

async function closeIfUnused({ starting, users }: SharedPool): Promise<void> {
  if (users === 0) await (await starting).close()
}
