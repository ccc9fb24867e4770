import type { Address } from 'viem'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import { buildIntent } from '../intents/build-intent.ts'
import { createIntentNonce } from '../intents/create-intent-nonce.ts'
import type { Call, Intent } from '../intents/intent.ts'
import { simulateIntent } from '../intents/simulate-intent.ts'
import { sharePayment, type Share } from '../selection/share-payment.ts'
import { attributeCalls, type SuffixOf } from './attribute-calls.ts'
import type { CalldataCaveat } from '../signing/calldata-caveats.ts'
import type { ChosenFunds } from './choose-funds.ts'
import type { QuoteParts } from './quote-parts.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { encodeTransfer } from '../intents/encode-transfer.ts'
import { createStandIn } from '../intents/create-stand-in.ts'
import { intentBytes } from '../intents/intent-bytes.ts'
import { askFor } from '../intents/run-effects.ts'
import { checkParties } from '../kinds/check-parties.ts'
import { movedFunds, type MovedFunds } from '../kinds/moved-funds.ts'
import type { FundedPart, PaidPart, QuotePlan } from '../kinds/quote-plan.ts'
import { mapApart } from '../../concurrency/write-apart.ts'
import { simulationFailed } from '../../chain/errors.ts'
import { refuseTransfer } from '../intents/refuse-transfer.ts'

/** An unsigned intent of one funding address, before its gas is known. */
export interface BuiltIntent {
  share: Share
  intent: Intent
  /** The requested calls; one call that pays the fee follows, unless the plan is free. */
  actions: readonly Call[]
  /** Suffixes of these calls that no contract reads. */
  caveats: readonly CalldataCaveat[]
  /** Null if the address delegates already. */
  delegation: { contractAddress: Address; authorizationNonce: number } | null
}

/** Members that the intents of a quote share beside its plan. */
export interface IntentTerms {
  /** Seconds since 1970. */
  expiry: bigint
  /** Returns the bytes that the plan's calls carry behind their arguments. */
  suffixOf: SuffixOf
  /** Nonces to reuse, by address: the chain executes only one of two intents with the same nonce. */
  nonces: ReadonlyMap<Address, bigint>
}

/**
 * Builds the intent of one funding address, unsigned and without gas: the plan's calls, then the payment of the fee, if
 * any.
 */
async function buildOne(
  { contracts, feeReceiver }: SendingChain,
  { standOf }: ChosenFunds,
  plan: QuotePlan,
  { expiry, suffixOf, nonces }: IntentTerms,
  { share, place, count, recipient }: Pick<PaidPart, 'place' | 'count' | 'recipient'> & { share: Share },
): Promise<BuiltIntent> {
  const { address } = share.input
  const state = await standOf(address)
  const part = { payer: address, recipient, amount: share.toRecipient, place, count }
  const planned = share.toRecipient > 0n || plan.mayMoveNothing ? await plan.calls(part) : []
  const { calls: actions, caveats } = attributeCalls(planned, suffixOf)
  const calls =
    plan.price === 'none' ? actions : [...actions, encodeTransfer(plan.token, feeReceiver, share.toService)]
  const intent = buildIntent({
    eoa: address,
    calls,
    intentNonce: nonces.get(address) ?? createIntentNonce(),
    combinedGas: 0n,
    expiry,
    accountImplementation: contracts.accountImplementation,
  })
  const delegation = state.delegates
    ? null
    : { contractAddress: contracts.accountProxy, authorizationNonce: state.authorizationNonce }
  return { share, intent, actions, caveats, delegation }
}

/** Converts a share to a part of the quote. */
export const partOf = (
  { input, toRecipient, toService }: Share,
  { recipient, place }: { recipient: Address; place: number },
): FundedPart => ({
  address: input.address,
  recipient,
  amount: toRecipient,
  fee: toService,
  serviceFee: toService - input.cost,
  place,
})

/** An intent with its gas; `size` is that of a transaction with it alone. */
export interface MeasuredIntent extends BuiltIntent {
  size: TransactionSize
  /** Assets that its run moves if the plan's calls may move any; null if they only pay. */
  moved: MovedFunds | null
}

/**
 * Builds the intents of a plan, one for each funding address, and runs them in their final form to measure their gas.
 * Several addresses are screened, queried and run one by one, with pauses between them. A run that does not pay the
 * plan's recipient pays a stand-in of its own.
 * @throws ServiceError as the plan's calls do; `legal` and `unavailable` as Screening; `bad-request` SIMULATION_FAILED,
 * also for tokens that keep a part or report failure without a revert; `unavailable` when no node answers.
 */
export function measureIntents(
  parts: Pick<QuoteParts, 'proving' | 'config' | 'screening' | 'turns'>,
  sending: SendingChain,
  funds: ChosenFunds,
  plan: QuotePlan,
  terms: IntentTerms,
): Promise<MeasuredIntent[]> {
  const shares = sharePayment(funds.inputs, funds.serviceFee)
  const count = shares.length
  return mapApart(shares, count > 1, (share, place) => {
    const { address } = share.input
    const build = (recipient: Address) =>
      buildOne(sending, funds, plan, terms, { share, place, count, recipient })
    const measure = async () => {
      const isPaid = isPaidIn(plan, place)
      const recipient = isPaid ? plan.recipient.address : createStandIn()
      const [built] = await Promise.all([
        build(recipient),
        parts.screening.requireClear(sending.chainId, [address]),
      ])
      const likelyGas = funds.spending.combinedGas
      const measured = await measureOne(parts, sending, built, { plan, recipient, place, likelyGas })
      return isPaid ? measured : withCallsOf(measured, await build(plan.recipient.address))
    }
    return parts.turns.about(address, measure, count)
  })
}

async function measureOne(
  { proving, config }: Pick<QuoteParts, 'proving' | 'config'>,
  { chain, feeReceiver }: SendingChain,
  one: BuiltIntent,
  {
    plan,
    recipient,
    place,
    likelyGas,
  }: Pick<FundedPart, 'recipient' | 'place'> & {
    plan: QuotePlan
    likelyGas: bigint
  },
): Promise<MeasuredIntent> {
  const mostGas = plan.funding.from === 'service' ? plan.funding.maxGas : BigInt(config.maxIntentGas)
  const simulated = await simulateIntent(proving, chain, {
    intent: one.intent,
    delegation: one.delegation,
    likelyGas: likelyGas < mostGas ? likelyGas : mostGas,
    extraGas: plan.extraGas,
    leastGas: plan.leastGas,
    mostGas,
    asked: askFor(plan.effects, {
      token: plan.token,
      owners: [one.intent.eoa, recipient],
      feeReceiver: plan.price === 'none' ? null : feeReceiver,
    }),
    timeoutMs: config.simulateTimeoutMs,
  })
  if (!simulated.success) throw refuseTransfer(simulated.revert)
  const { outcome } = simulated
  const parts = [partOf(one.share, { recipient, place })]
  plan.checkRun(outcome, parts)
  checkParties(outcome, parts, {
    token: plan.token,
    feeReceiver: plan.price === 'none' ? null : feeReceiver,
    movesOthers: plan.movesOthers ?? false,
  })
  const { combinedGas, paidGas } = simulated
  if (combinedGas > mostGas) throw simulationFailed('The recipient takes more gas than a payment may')
  const intent = { ...one.intent, combinedGas }
  const moved = plan.movesOthers ? movedFunds(outcome, one.intent.eoa) : null
  const size = { gas: paidGas, bytes: intentBytes(intent, one.delegation !== null) }
  return { ...one, intent, size, moved }
}

const isPaidIn = ({ paidIn = 'every' }: QuotePlan, place: number): boolean =>
  paidIn === 'every' || (paidIn === 'first' && place === 0)

/** Combines the intent to be signed with the gas of its measured twin. */
function withCallsOf(measured: MeasuredIntent, signed: BuiltIntent): MeasuredIntent {
  const intent = { ...signed.intent, combinedGas: measured.intent.combinedGas }
  const size = { ...measured.size, bytes: intentBytes(intent, signed.delegation !== null) }
  return { ...measured, ...signed, intent, size }
}
