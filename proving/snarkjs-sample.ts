import type { ProvingConfig } from './config.ts'
import { CrossCheck } from './cross-check.ts'
import type { PoolTasks } from './pool-tasks.ts'
import type { ProvingLogger } from './proving-logger.ts'
import { startThreadGroup, type ThreadGroup } from './thread-group.ts'

/** Limit of the thread's heap in MiB. */
const HEAP_MB = 256

/** The sample of proofs that snarkjs verifies as well, in a thread of its own. The first proof of the sample starts it. */
export class SnarkjsSample {
  readonly #config: ProvingConfig
  readonly #logger: ProvingLogger
  readonly #check: CrossCheck
  #thread: ThreadGroup | undefined

  constructor(config: ProvingConfig, tasks: PoolTasks, logger: ProvingLogger) {
    this.#config = config
    this.#logger = logger
    this.#check = new CrossCheck({
      oneIn: config.verifier === 'fast' ? config.crossCheckOneIn : 0,
      verifyAgain: async (circuit, proof) => {
        const run = this.#open().run('verify', { circuit, proofs: [proof] })
        const [outcome] = await tasks.settle('verify', 0, run)
        if (!outcome) throw new Error('snarkjs gave no outcome')
        return outcome
      },
      logger,
    })
  }

  get totals(): CrossCheck['totals'] {
    return this.#check.totals
  }

  get threads(): number {
    return this.#thread?.threads ?? 0
  }

  /** Returns the outcome to be used, as {@link CrossCheck.confirm} does. */
  confirm(...proof: Parameters<CrossCheck['confirm']>): ReturnType<CrossCheck['confirm']> {
    return this.#check.confirm(...proof)
  }

  /** Ends the thread at once. */
  async destroy(): Promise<void> {
    await this.#thread?.destroy()
  }

  #open(): ThreadGroup {
    return (this.#thread ??= startThreadGroup({
      name: 'verify by snarkjs',
      warmUp: 'verify',
      threads: 1,
      tasksPerThread: 1,
      heapMb: HEAP_MB,
      settings: { verifier: 'snarkjs', maxBatch: this.#config.maxBatch, commitmentKeys: [] },
      logger: this.#logger,
    }))
  }
}
