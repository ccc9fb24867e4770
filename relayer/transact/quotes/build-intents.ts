import { type Address, isAddressEqual } from 'viem'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import {
  type Call,
  type Intent,
  buildIntent,
  createIntentNonce,
  createStandIn,
  encodeTransfer,
} from '../intents/intent.ts'
import type { ChosenDelegation } from '../intents/delegation.ts'
import { simulateIntent, intentBytes } from '../intents/simulate-intent.ts'
import { sharePayment, type Share } from './select-funds.ts'
import {
  type CalldataCaveat,
  appendSuffix,
  canCarrySuffix,
  encodeAttribution,
  encodeIntegrator,
  type CalldataSuffix,
} from '../signing/calldata-caveats.ts'
import type { ChosenFunds } from './choose-funds.ts'
import type { QuoteParts } from './prepare-quote.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { askFor } from '../intents/simulated-run.ts'
import type { KindTerms } from '../kinds/quote-kind.ts'
import { checkParties, movedFunds, type MovedFunds } from '../kinds/check-parties.ts'
import type { FundedPart, QuotePlan } from '../kinds/quote-plan.ts'
import { mapApart } from '../../concurrency/write-apart.ts'
import { simulationFailed } from '../../chain/errors.ts'
import { refuseTransfer } from '../intents/describe-revert.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { QuotesConfig } from './config.ts'

/** An unsigned intent of one funding address, before its gas is known. */
export interface Built {
  share: Share
  intent: Intent
  /** The requested calls; one call that pays the fee follows, unless the plan is free. */
  actions: readonly Call[]
  /** Suffixes of these calls that no contract reads. */
  caveats: readonly CalldataCaveat[]
  /** Null if the address delegates already. */
  delegation: ChosenDelegation | null
}

/** Members that the intents of a quote share beside its plan. */
export interface SharedTerms {
  kind: KindTerms
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
  { kind, expiry, suffixOf, nonces }: SharedTerms,
  { share, place, count, recipient }: { share: Share; place: number; count: number; recipient: Address },
): Promise<Built> {
  const { address } = share.input
  const state = await standOf(address)
  const part = { payer: address, recipient, amount: share.toRecipient, place, count }
  const planned = share.toRecipient > 0n || plan.mayMoveNothing ? await plan.calls(part) : []
  const { calls: actions, caveats } = attributeCalls(planned, suffixOf)
  const calls =
    kind.price === 'none' ? actions : [...actions, encodeTransfer(plan.token, feeReceiver, share.toService)]
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
export interface MeasuredIntent extends Built {
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
  parts: QuoteParts,
  sending: SendingChain,
  funds: ChosenFunds,
  plan: QuotePlan,
  terms: SharedTerms,
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
      const measured = await measureOne(parts, sending, built, {
        plan,
        kind: terms.kind,
        recipient,
        place,
        likelyGas,
      })
      return isPaid ? measured : withCallsOf(measured, await build(plan.recipient.address))
    }
    return parts.turns.about(address, measure, count)
  })
}

async function measureOne(
  { proving, config }: QuoteParts,
  { chain, feeReceiver }: SendingChain,
  one: Built,
  {
    plan,
    kind,
    recipient,
    place,
    likelyGas,
  }: Pick<FundedPart, 'recipient' | 'place'> & {
    plan: QuotePlan
    kind: KindTerms
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
      feeReceiver: kind.price === 'none' ? null : feeReceiver,
    }),
    timeoutMs: config.simulateTimeoutMs,
  })
  if (!simulated.success) throw refuseTransfer(simulated.revert)
  const { outcome } = simulated
  const parts = [partOf(one.share, { recipient, place })]
  plan.checkRun(outcome, parts)
  checkParties(outcome, parts, {
    token: plan.token,
    feeReceiver: kind.price === 'none' ? null : feeReceiver,
    movesOthers: kind.movesOthers,
  })
  const { combinedGas, paidGas } = simulated
  if (combinedGas > mostGas) throw simulationFailed('The recipient takes more gas than a payment may')
  const intent = { ...one.intent, combinedGas }
  const moved = kind.movesOthers ? movedFunds(outcome, one.intent.eoa) : null
  const size = { gas: paidGas, bytes: intentBytes(intent, one.delegation !== null) }
  return { ...one, intent, size, moved }
}

const isPaidIn = ({ paidIn = 'every' }: QuotePlan, place: number): boolean =>
  paidIn === 'every' || (paidIn === 'first' && place === 0)

/** Combines the intent to be signed with the gas of its measured twin. */
function withCallsOf(measured: MeasuredIntent, signed: Built): MeasuredIntent {
  const intent = { ...signed.intent, combinedGas: measured.intent.combinedGas }
  const size = { ...measured.size, bytes: intentBytes(intent, signed.delegation !== null) }
  return { ...measured, ...signed, intent, size }
}

/** Returns the suffix for a call's calldata; null for none. */
export type SuffixOf = (call: Call) => CalldataSuffix | null

/**
 * Returns the suffixes for a kind of quote on a chain: the integrator's id for deposits with Across, the codes for all
 * other calls. None unless the operator configured them.
 */
export function attributionOf(
  { attribution }: Pick<QuotesConfig, 'attribution'>,
  kind: string,
  { venues }: Pick<ChainConfig, 'venues'>,
): SuffixOf {
  if (!attribution?.kinds.some((attributed) => attributed === kind)) return () => null
  const { codes, acrossIntegratorId } = attribution
  const codesSuffix = codes.length > 0 ? encodeAttribution(codes) : null
  const idSuffix = acrossIntegratorId === undefined ? null : encodeIntegrator(acrossIntegratorId)
  const spokePool = venues?.across?.spokePool
  return ({ to, data }) => {
    if (!canCarrySuffix(data)) return null
    return idSuffix && spokePool && isAddressEqual(to, spokePool) ? idSuffix : codesSuffix
  }
}

/** Appends the suffixes to an intent's calls, and lists the caveats for the wallet. */
export function attributeCalls(
  calls: readonly Call[],
  suffixOf: SuffixOf,
): { calls: readonly Call[]; caveats: readonly CalldataCaveat[] } {
  const caveats: CalldataCaveat[] = []
  const attributed = calls.map((call, callIndex) => {
    const suffix = suffixOf(call)
    if (!suffix) return call
    const { data, caveat } = appendSuffix(call.data, suffix, callIndex)
    caveats.push(caveat)
    return { ...call, data }
  })
  return { calls: attributed, caveats }
}
