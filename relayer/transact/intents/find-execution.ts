import type { Address, Hash, PublicClient } from 'viem'
import { orchestratorAbi } from './intent-abi.ts'
import { findOutcome, readOutcomes, type IntentOutcome } from './intent-outcome.ts'

/** The transaction that used an intent's nonce up, ours or somebody else's. */
export interface IntentExecution {
  hash: Hash
  blockNumber: bigint
  /** `succeeded` or `burnt`. */
  outcome: IntentOutcome
}

/**
 * Looks for the execution of an intent that our own transaction found used up: whoever copies one from a public mempool
 * may have been faster, and what they executed is what was signed. Null where nobody has.
 * @param fromBlock When the intent was made: nobody can have had it before.
 */
export async function findExecution(
  client: PublicClient,
  orchestrator: Address,
  { eoa, intentNonce }: { eoa: Address; intentNonce: bigint },
  fromBlock: bigint,
): Promise<IntentExecution | null> {
  const logs = await client.getContractEvents({
    address: orchestrator,
    abi: orchestratorAbi,
    eventName: 'IntentExecuted',
    args: { eoa, nonce: intentNonce },
    fromBlock,
    toBlock: 'latest',
  })
  // One that did nothing leaves an event too.
  const log = logs.find(({ args }) => args.incremented)
  if (!log) return null
  const outcome = findOutcome(readOutcomes([log], orchestrator), { eoa, intentNonce })
  return { hash: log.transactionHash, blockNumber: log.blockNumber, outcome }
}
