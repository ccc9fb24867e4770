import { simulationsAtOnce } from '../../proving/create-proving-pool.ts'
import { ProvingBusyError, type ProvingPool } from '../../proving/proving-pool.ts'
import { createSharedTurns } from '../../relayer/shares/shared-turns.ts'

/**
 * Gives clients the worker threads in turn, because the threads' queues are ordered by arrival. Proofs pass unchanged:
 * their queues are already per client.
 */
export function shareProving(
  proving: ProvingPool,
  { threads, maxQueue }: { threads: number; maxQueue: number },
): ProvingPool {
  const createTurns = (atOnce: number) =>
    createSharedTurns({
      atOnce,
      mostWaiting: maxQueue,
      refuse: () => new ProvingBusyError('too many tasks are waiting'),
    })
  const simulations = createTurns(simulationsAtOnce(threads))
  const derivations = createTurns(1)
  return {
    ...proving,
    derive: (job) => derivations.run(() => proving.derive(job)),
    simulate: (job) => simulations.run(() => proving.simulate(job)),
    simulateCalls: (job) => simulations.run(() => proving.simulateCalls(job)),
    stats() {
      const stats = proving.stats()
      return { ...stats, queued: stats.queued + simulations.waiting + derivations.waiting }
    },
  }
}
