import { pad, slice } from 'viem'
import type { AcrossChain } from './across-chain.ts'
import { CommandError } from '../commands/command-error.ts'
import type { FillerCommand } from './command-shape.ts'
import { COMMANDED, type Filler, type FillerOrders, type KnownDeposit } from './create-filler.ts'
import { fillSlowly } from './fill-slowly.ts'
import { FILL_STATUS, fillerAbi } from './filler-abi.ts'
import { refundDeposit } from './refund-deposit.ts'

/** The objects that commands work on. */
export interface CommandedAcross {
  chains: readonly AcrossChain[]
  filler: Filler
  orders: FillerOrders
}

/**
 * Carries out a command, or none of it where it cannot. Nothing else may advance meanwhile.
 * @returns The deposit in question; null for commands about none.
 * @throws CommandError where it cannot be done now, or never; Error in the words of the contract when that refuses.
 */
export async function runFillerCommand(
  across: CommandedAcross,
  command: FillerCommand,
): Promise<KnownDeposit | null> {
  const { orders } = across
  switch (command.command) {
    case 'delay':
      orders.delaySeconds = command.seconds
      return null
    case 'hold':
      orders.mode = 'hold'
      return null
    case 'refuse-all':
      orders.mode = 'refuse'
      return null
    case 'release':
      orders.mode = 'fill'
      return null
    default:
      return takeDepositCommand(across, command)
  }
}

async function takeDepositCommand(
  { chains, filler, orders }: CommandedAcross,
  { command, originChainId, depositId }: Extract<FillerCommand, { depositId: string }>,
): Promise<KnownDeposit> {
  await filler.read()
  const deposit = filler
    .list()
    .find(
      ({ relay }) => relay.originChainId === BigInt(originChainId) && relay.depositId === BigInt(depositId),
    )
  const origin = chains.find(({ chainId }) => chainId === originChainId)
  const destination = chains.find(({ chainId }) => chainId === deposit?.destinationChainId)
  if (!deposit || !origin || !destination)
    throw new CommandError(404, `chain ${originChainId} has no deposit ${depositId}`)
  const { relay } = deposit
  if (command === 'spoof') {
    await spoofFill(destination, deposit)
    return deposit
  }
  if ((await destination.readFillStatus(deposit.relayHash)) === FILL_STATUS.filled)
    throw new CommandError(409, 'the deposit is filled')
  const isExpired = (await destination.readTime()) > relay.fillDeadline
  const until = new Date(relay.fillDeadline * 1_000).toISOString()

  if (command === 'refund') {
    if (!isExpired) throw new CommandError(409, `the deposit can be filled until ${until}: expire it first`)
    await refundDeposit(origin, deposit)
    return deposit
  }
  if (isExpired) throw new CommandError(409, `the deposit could be filled until ${until}`)
  if (command === 'refuse') {
    orders.refused.push(deposit.relayHash)
    Object.assign(deposit, { state: 'refused', reason: COMMANDED })
  } else if (command === 'slow-fill') {
    await fillSlowly(destination, deposit)
    Object.assign(deposit, { state: 'filled', reason: null })
  } else {
    await destination.passTime(relay.fillDeadline + 1)
    deposit.state = 'expired'
  }
  return deposit
}

/** The contract takes any relay: it reports this one with the number and the depositor of another. */
async function spoofFill(destination: AcrossChain, { relay }: KnownDeposit): Promise<void> {
  await destination.provide(slice(relay.outputToken, 12), 1n)
  await destination.send({
    address: destination.spokePool,
    abi: fillerAbi,
    functionName: 'fillRelay',
    args: [{ ...relay, outputAmount: 1n }, relay.originChainId, pad(destination.filler, { size: 32 })],
  })
}
