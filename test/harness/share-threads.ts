import { closeSharedReader, shareBlockReader } from './share-block-reader.ts'
import { closeSharedPools, shareProvingPool } from './share-proving-pool.ts'

/** Options of `startService` by which a service uses the threads that all tests of this process share. */
export const SHARED_THREADS = { startProving: shareProvingPool, openReader: shareBlockReader }

/** Ends the unused shared threads: for tests that count or reach the threads of this process. */
export async function closeSharedThreads(): Promise<void> {
  await Promise.all([closeSharedPools(), closeSharedReader()])
}
