import { listBatchedIntents } from '../../../db/transact/batches.ts'
import type { Reviewer } from '../../chain/broadcast/broadcast-engine.ts'
import { simulateBatch } from './simulate-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/**
 * Simulates batches again that are queued for long. One in which an intent would fail is abandoned: its intents go back
 * to the queue, where those that succeed get another and the rest are judged. Of those that are sent already the batcher
 * takes care.
 */
export function createBatchReviewer(
  parts: Pick<SubmissionParts, 'database' | 'chains' | 'proving' | 'broadcast' | 'config'>,
): Reviewer {
  return {
    async queued({ chainId, reference }) {
      const chain = parts.chains.get(chainId)
      if (!chain) throw new Error(`chain ${chainId} is no longer configured`)
      const intents = await listBatchedIntents(parts.database, reference)
      if (intents.length === 0) return 'its intents have ended'
      const simulated = await simulateBatch(parts, chain, intents)
      if (!simulated.success) return simulated.revert.name ?? simulated.revert.text.slice(0, 200)
      const failure = simulated.failures.find((one) => one !== null)
      return failure === undefined ? null : `an intent would fail: ${failure}`
    },
  }
}
