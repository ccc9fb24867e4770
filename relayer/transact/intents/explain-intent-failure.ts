import { encodeFunctionData, maxUint256, type Address, type Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { describeRevert } from './describe-revert.ts'
import { intentErrorAbi, orchestratorAbi } from './intent-abi.ts'
import { MAX_TRANSACTION_GAS } from './batch-gas.ts'
import { SIMULATOR } from './simulate-intent.ts'

/**
 * Explains why an intent would fail now. The Orchestrator's events and answers have four bytes of an error;
 * its simulateExecute reverts with the whole error. Use it for failed intents only, because it costs the node
 * one more query.
 *
 * @returns Null if the intent would succeed, or if no reason is available.
 */
export async function explainIntentFailure(
  { proving, config }: { proving: Pick<ProvingPool, 'simulate'>; config: { simulateTimeoutMs: number } },
  chain: Chain,
  {
    eoa,
    encoded,
    delegation,
  }: {
    eoa: Address
    encoded: Hex
    delegation: { contractAddress: Address; authorizationNonce: number } | null
  },
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
  // The failure counts even if it cannot be explained.
  const outcome = await asked.catch(() => null)
  return outcome && !outcome.success ? describeRevert(outcome.revert) : null
}
