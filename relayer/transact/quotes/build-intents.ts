import { isAddressEqual, zeroAddress, type Address } from 'viem'
import type { SimulateOutcome } from '../../../proving/proving-pool.ts'
import { buildIntent } from '../intents/build-intent.ts'
import { createIntentNonce } from '../intents/create-intent-nonce.ts'
import type { Call, Intent } from '../intents/intent.ts'
import { simulateIntent } from '../intents/simulate-intent.ts'
import { sharePayment, type Share } from '../selection/share-payment.ts'
import type { ChosenFunds } from './choose-funds.ts'
import type { QuoteParts } from './quote-parts.ts'
import { badRequest, refuseTransfer } from '../refusals.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { encodeTransfer } from '../intents/encode-transfer.ts'

export interface BuiltIntent {
  share: Share
  intent: Intent
  /** What of the calls the user asked for, by their places; the rest is the fee. */
  userCalls: number
  calls: number
  /** Null where the address delegates already. */
  delegation: { contractAddress: Address; authorizationNonce: number } | null
}

export interface Payment {
  token: Address
  recipient: Address
  /** Seconds since 1970. */
  expiry: bigint
}

/** One intent per funding address, unsigned and with no gas yet: it pays the recipient, then the fee. */
export function buildIntents(
  { contracts, feeReceiver }: SendingChain,
  { inputs, serviceFee, standing }: ChosenFunds,
  { token, recipient, expiry }: Payment,
): BuiltIntent[] {
  return sharePayment(inputs, serviceFee).map((share) => {
    const { address } = share.input
    const payments: Call[] =
      share.toRecipient > 0n ? [encodeTransfer(token, recipient, share.toRecipient)] : []
    const calls = [...payments, encodeTransfer(token, feeReceiver, share.toService)]
    const intent = buildIntent({
      eoa: address,
      calls,
      intentNonce: createIntentNonce(),
      combinedGas: 0n,
      expiry,
      accountImplementation: contracts.accountImplementation,
    })
    const state = standing.get(address)
    if (!state) throw new Error('an address was chosen whose standing was not read')
    const delegation = state.delegates
      ? null
      : { contractAddress: contracts.accountProxy, authorizationNonce: state.authorizationNonce }
    return { share, intent, userCalls: payments.length, calls: calls.length, delegation }
  })
}

export interface MeasuredIntent extends BuiltIntent {
  paidGas: bigint
}

/**
 * Runs the very intents that will be signed and gives them their gas.
 * @throws ServiceError `bad-request` SIMULATION_FAILED, for tokens too that keep a part or say no without failing; `unavailable` when no node answers.
 */
export function measureIntents(
  { proving, config }: Pick<QuoteParts, 'proving' | 'config'>,
  { chain, feeReceiver }: SendingChain,
  built: readonly BuiltIntent[],
  payment: Payment & { likelyGas: bigint },
): Promise<MeasuredIntent[]> {
  return Promise.all(
    built.map(async (one) => {
      const simulated = await simulateIntent(proving, chain, {
        intent: one.intent,
        delegation: one.delegation,
        likelyGas: payment.likelyGas,
        timeoutMs: config.simulateTimeoutMs,
      })
      if (!simulated.success) throw refuseTransfer(simulated.revert)
      const { toRecipient, toService } = one.share
      if (!delivers(simulated.outcome, one, { ...payment, amount: toRecipient }))
        throw badRequest('The token would not give the recipient what is sent', 'SIMULATION_FAILED')
      if (!delivers(simulated.outcome, one, { ...payment, recipient: feeReceiver, amount: toService }))
        throw badRequest('The token would not give us the whole fee', 'SIMULATION_FAILED')
      const { combinedGas, paidGas } = simulated
      if (combinedGas > config.maxIntentGas)
        throw badRequest('The recipient takes more gas than a payment may', 'SIMULATION_FAILED')
      return { ...one, intent: { ...one.intent, combinedGas }, paidGas }
    }),
  )
}

/** Whether the token itself says that somebody gets the whole of an amount. */
function delivers(
  { provider, assetChanges }: Extract<SimulateOutcome, { success: true }>,
  { intent }: BuiltIntent,
  { token, recipient, amount }: Payment & { amount: bigint },
): boolean {
  // A coin arrives or the call fails; the last resort of nodes tells no logs.
  if (token === zeroAddress || amount === 0n || provider === 'rpc-call') return true
  return assetChanges.some(
    (change) =>
      change.type === 'erc20' &&
      change.token !== null &&
      isAddressEqual(change.token, token) &&
      isAddressEqual(change.from, intent.eoa) &&
      isAddressEqual(change.to, recipient) &&
      change.amount === amount,
  )
}
