import { encodeAbiParameters, getAbiItem, keccak256, slice, zeroHash } from 'viem'
import type { AcrossChain } from './across-chain.ts'
import type { KnownDeposit } from './create-filler.ts'
import { FILL_STATUS, fillerAbi, fillerTokenAbi } from './filler-abi.ts'
import { relayBundle } from './relay-bundle.ts'

const [LEAF] = getAbiItem({ abi: fillerAbi, name: 'executeSlowRelayLeaf' }).inputs

/**
 * Lets the SpokePool of the destination pay a deposit from its own funds, which the filler gives it as the hub would.
 * @throws Error when the contract refuses: it is filled already, or too late.
 */
export async function fillSlowly(destination: AcrossChain, deposit: KnownDeposit): Promise<void> {
  const { relay, relayHash } = deposit
  const { spokePool } = destination
  const token = slice(relay.outputToken, 12)
  const contract = { address: spokePool, abi: fillerAbi } as const
  if ((await destination.readFillStatus(relayHash)) !== FILL_STATUS.slowFillRequested)
    await destination.send({ ...contract, functionName: 'requestSlowFill', args: [relay] })
  await destination.provide(token, relay.outputAmount)
  await destination.send({
    address: token,
    abi: fillerTokenAbi,
    functionName: 'transfer',
    args: [spokePool, relay.outputAmount],
  })
  const leaf = {
    relayData: relay,
    chainId: BigInt(deposit.destinationChainId),
    updatedOutputAmount: relay.outputAmount,
  }
  const root = keccak256(encodeAbiParameters([LEAF], [leaf]))
  const bundle = await relayBundle(destination, { refund: zeroHash, slowFill: root })
  await destination.send({
    ...contract,
    functionName: 'executeSlowRelayLeaf',
    args: [leaf, bundle, []],
    passesCalls: true,
  })
}
