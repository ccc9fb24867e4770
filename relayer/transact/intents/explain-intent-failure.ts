import { encodeFunctionData, maxUint256, type Address, type Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { describeRevert } from './describe-revert.ts'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'
import { MAX_TRANSACTION_GAS } from './batch-gas.ts'
import { SIMULATOR } from './simulate-intent.ts'

/** An intent as it would be executed. */
export interface FailingIntent {
  eoa: Address
  /** abi.encode(Intent), signed. */
  encoded: Hex
  delegation: { contractAddress: Address; authorizationNonce: number } | null
}

/**
 * Why an intent would fail now. The Orchestrator's events and answers have four bytes of an error; its simulateExecute
 * reverts with the whole of it. For intents that failed only: it is one more question to the node.
 *
 * @returns Null where it would succeed, or where nobody can say.
 */
export async function explainIntentFailure(
  { proving, config }: { proving: Pick<ProvingPool, 'simulate'>; config: { simulateTimeoutMs: number } },
  chain: Chain,
  { eoa, encoded, delegation }: FailingIntent,
): Promise<string | null> {
  const { chainId, sending } = chain.config
  if (!sending) return null
  const asked = proving.simulate({
    rpcUrls: chain.nodes.urls(),
    call: {
      from: SIMULATOR,
      to: sending.orchestrator,
      data: encodeFunctionData({
        abi: orchestratorAbi,
        functionName: 'simulateExecute',
        args: [true, 0n, encoded],
      }),
      value: 0n,
      gas: MAX_TRANSACTION_GAS,
    },
    errorAbi: intentErrorAbi,
    timeoutMs: config.simulateTimeoutMs,
    prefer: 'node',
    stateOverrides: { [SIMULATOR]: { balance: maxUint256 } },
    authorizations: delegation
      ? [
          {
            authority: eoa,
            address: delegation.contractAddress,
            chainId,
            nonce: BigInt(delegation.authorizationNonce),
          },
        ]
      : [],
  })
  // The refusal stands without its explanation.
  const outcome = await asked.catch(() => null)
  return outcome && !outcome.success ? describeRevert(outcome.revert) : null
}
