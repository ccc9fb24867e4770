import { encodeAbiParameters, getAbiItem, keccak256, slice, type Hash } from 'viem'
import { spokePoolEvents } from '../../../relayer/chain/contracts/across.ts'
import type { AcrossChain } from './across-chain.ts'
import { CommandError } from '../commands/command-error.ts'
import type { KnownDeposit } from './create-filler.ts'
import { fillerAbi } from './filler-abi.ts'
import { relayBundle } from './relay-bundle.ts'

const [, LEAF] = getAbiItem({ abi: fillerAbi, name: 'executeRelayerRefundLeaf' }).inputs

/**
 * Pays a deposit back to its depositor by the SpokePool that took it; a coin comes back wrapped. The bundle has no slow
 * fills, and carries the relay hash in place of their root. So a process killed between the two transactions goes on
 * with the second, and no deposit is paid back twice.
 * @returns The transaction that pays.
 * @throws CommandError when it was paid back before.
 */
export async function refundDeposit(origin: AcrossChain, { relay, relayHash }: KnownDeposit): Promise<Hash> {
  const contract = { address: origin.spokePool, abi: fillerAbi } as const
  const leaf = {
    amountToReturn: 0n,
    chainId: relay.originChainId,
    refundAmounts: [relay.inputAmount],
    leafId: 0,
    l2TokenAddress: slice(relay.inputToken, 12),
    refundAddresses: [slice(relay.depositor, 12)],
  }
  const fromBlock = BigInt(origin.startBlock)
  const [earlier] = await origin.client.getContractEvents({
    ...contract,
    eventName: 'RelayedRootBundle',
    args: { slowRelayRoot: relayHash },
    fromBlock,
    strict: true,
  })
  if (earlier) {
    const { rootBundleId } = earlier.args
    const [paid] = await origin.client.getContractEvents({
      address: origin.spokePool,
      abi: spokePoolEvents,
      eventName: 'ExecutedRelayerRefundRoot',
      args: { rootBundleId },
      fromBlock,
    })
    if (paid) throw new CommandError(409, `the deposit was paid back by ${paid.transactionHash}`)
  }
  const root = keccak256(encodeAbiParameters([LEAF], [leaf]))
  const bundle =
    earlier?.args.rootBundleId ?? (await relayBundle(origin, { refund: root, slowFill: relayHash }))
  const { transactionHash } = await origin.send({
    ...contract,
    functionName: 'executeRelayerRefundLeaf',
    args: [bundle, leaf, []],
  })
  return transactionHash
}
