import type { Hash } from 'viem'
import { peerEscrowAbi } from '../../../relayer/chain/contracts/peer-escrow.ts'
import { CommandError } from '../commands/command-error.ts'
import { CASH_RATES } from '../deploy/devnet-cash.ts'
import { demandHeld, provePayment, takeDeposit, type CashKeys } from './buy-deposit.ts'
import { buyerAbi, ratesAbi } from './buyer-abi.ts'
import type { CashChain } from './cash-chain.ts'
import type { CashCommand } from './command-shape.ts'
import type { BuyerOrders } from './create-buyers.ts'
import { refusePayee, type PayeeRegister } from './payees.ts'

/** The objects that commands work on. */
export interface CommandedCash {
  chains: readonly CashChain[]
  keys: CashKeys
  orders: BuyerOrders
  payees: PayeeRegister
}

const amountOf = (digits: string | undefined) => (digits === undefined ? undefined : BigInt(digits))

/**
 * Carries out a command to buyers, curator or witness. Nothing else may advance meanwhile.
 * @returns The hash of the part that a buyer holds, or has just paid for; null for commands about none.
 * @throws CommandError if it cannot be done; Error in the words of the contract when that refuses.
 */
export async function runCashCommand(cash: CommandedCash, command: CashCommand): Promise<Hash | null> {
  switch (command.command) {
    case 'delay':
      cash.orders.delaySeconds = command.seconds
      return null
    case 'hold':
    case 'release':
      cash.orders.mode = command.command === 'hold' ? 'hold' : 'buy'
      return null
    case 'refuse-payee':
      refusePayee(cash.payees, command)
      return null
    default:
      return takeChainCommand(cash, command)
  }
}

async function takeChainCommand(
  { chains, keys }: CommandedCash,
  command: Extract<CashCommand, { chainId: number }>,
): Promise<Hash | null> {
  const chain = chains.find(({ chainId }) => chainId === command.chainId)
  if (!chain) throw new CommandError(404, `there is no chain ${command.chainId}`)
  if ('intentHash' in command) return takeHeldCommand(chain, keys, command)
  if (command.command === 'set-rate') {
    await setRate(chain, command)
    return null
  }
  const depositId = BigInt(command.depositId)
  switch (command.command) {
    case 'take':
      return takeDeposit(chain, keys, { depositId, amount: amountOf(command.amount) })
    case 'fill': {
      const intentHash = await takeDeposit(chain, keys, { depositId, amount: amountOf(command.amount) })
      await provePayment(chain, keys, { intentHash })
      return intentHash
    }
    case 'expire': {
      const last = await chain.readLastExpiry(depositId)
      if (last === null) throw new CommandError(409, 'nobody holds anything of the deposit')
      await chain.passTime(last + 1)
      return null
    }
    default:
      await chain.send(firstBuyer(chain), {
        address: chain.escrow,
        abi: peerEscrowAbi,
        functionName: 'pruneExpiredIntents',
        args: [depositId],
      })
      return null
  }
}

async function takeHeldCommand(
  chain: CashChain,
  keys: CashKeys,
  command: Extract<CashCommand, { intentHash: string }>,
): Promise<Hash> {
  const { intentHash } = command
  const { owner, depositId } = await demandHeld(chain, intentHash)
  const call = { address: chain.orchestrator, abi: buyerAbi, args: [intentHash] }
  if (command.command === 'prove')
    await provePayment(chain, keys, { intentHash, amount: amountOf(command.amount) })
  else if (command.command === 'cancel') await chain.send(owner, { ...call, functionName: 'cancelIntent' })
  else {
    const { depositor } = await chain.readDeposit(depositId)
    await chain.sendAs(depositor, { ...call, functionName: 'releaseFundsToPayer' })
  }
  return intentHash
}

async function setRate(
  chain: CashChain,
  { currency, rate }: { currency: string; rate: string },
): Promise<void> {
  const known = CASH_RATES.find((one) => one.currency === currency)
  if (!known) throw new CommandError(404, `there is no price in ${currency}`)
  await chain.send(firstBuyer(chain), {
    address: chain.rates,
    abi: ratesAbi,
    functionName: 'set',
    args: [known.adapterConfig, BigInt(rate)],
  })
}

function firstBuyer({ buyers: [buyer] }: CashChain) {
  if (!buyer) throw new Error('a devnet without buyers')
  return buyer
}
