import { listBatchedIntents } from '../../../db/transact/batches.ts'
import type { Reviewer } from '../../chain/broadcast/broadcast-engine.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { confirmRefusal } from '../../chain/nodes/each-node.ts'
import { simulateBatch } from './simulate-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** An intent was executed already: in this batch's own transaction, or in another one. */
const USED = 'InvalidNonce'

/**
 * Creates the reviewer, which simulates batches again that wait for long, or that are sent again. A batch with a
 * failing intent is abandoned. Its intents return to the queue, where those that succeed get another batch and the rest
 * are judged. The batcher handles batches that nodes already hold.
 */
export function createBatchReviewer(
  parts: Pick<SubmissionParts, 'database' | 'chains' | 'proving' | 'broadcast' | 'config'>,
): Reviewer {
  async function simulate(chain: Chain, reference: string): Promise<string | null> {
    const intents = await listBatchedIntents(parts.database, reference)
    if (intents.length === 0) return 'its intents have ended'
    const simulated = await simulateBatch(parts, chain, intents)
    if (!simulated.success) return simulated.revert.name ?? simulated.revert.text.slice(0, 200)
    const failure = simulated.failures.find((one) => one !== null)
    return failure === undefined ? null : `an intent would fail: ${failure}`
  }
  function chainOf(chainId: number): Chain {
    const chain = parts.chains.get(chainId)
    if (!chain) throw new Error(`chain ${chainId} is no longer configured`)
    return chain
  }
  return {
    queued: async ({ chainId, reference }) => simulate(chainOf(chainId), reference),
    again: async ({ chainId, reference }) =>
      confirmRefusal(chainOf(chainId), async (chain) => {
        const reason = await simulate(chain, reference)
        if (reason?.includes(USED)) throw new Error('an intent of it is executed, where is not final')
        return reason
      }),
  }
}
