import { parseEventLogs, type Hash } from 'viem'
import type { AcrossChain } from './across-chain.ts'
import { fillerAbi } from './filler-abi.ts'

/** Roots of trees with a single leaf: the leaf's hash, so that its proof is empty. */
export interface BundleRoots {
  refund: Hash
  slowFill: Hash
}

/** Gives a SpokePool a bundle of roots, as the hub of Across does after its challenge period. @returns Its number. */
export async function relayBundle(chain: AcrossChain, { refund, slowFill }: BundleRoots): Promise<number> {
  const { logs } = await chain.send({
    address: chain.spokePool,
    abi: fillerAbi,
    functionName: 'relayRootBundle',
    args: [refund, slowFill],
  })
  const [event] = parseEventLogs({ abi: fillerAbi, logs, eventName: 'RelayedRootBundle' })
  if (!event) throw new Error('the SpokePool took no bundle')
  return event.args.rootBundleId
}
