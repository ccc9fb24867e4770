import { hexText } from '../../../../db/column-types.ts'
import { z } from 'zod'
import type { CommonQueryMethods } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { insertCashPayee } from '../../../../db/transact/cash-payees.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import type { RunEffects, SimulatedRun } from '../../intents/simulated-run.ts'
import { readToken } from '../../read-token.ts'
import { formatFiat, formatRate } from '../../venues/cash-out/format-fiat.ts'
import type { CashOutVenue } from '../../venues/cash-out/cash-out-venue.ts'
import { cashOutTooSmall } from '../../venues/cash-out/errors.ts'
import { checkVenueDeposit } from '../check-parties.ts'
import type { KindContext } from '../quote-kind.ts'
import type { FundedPart, FunderFilter, QuotePlan, SpendingPlan } from '../quote-plan.ts'
import { bridgeSale, spendByCrossing, type SaleCrossing } from './cross-to-escrow.ts'
import type { SalePlace } from './find-sale-place.ts'
import type { PayeeRegistration } from './register-once.ts'
import { saleOf, spendBySelling, type SaleTerms } from './spend-by-selling.ts'

const digits = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)

/** Details of the quote for its refresh, its submission and its order. The handle is stored elsewhere, sealed. */
export const offrampDetails = z.object({
  provider: z.string(),
  paymentMethod: z.string(),
  currency: z.string(),
  escrowChainId: z.int(),
  escrow: hexText,
  orchestrator: hexText,
  /** Times 1e18. */
  rate: digits,
  minimumRate: digits,
  /** Milliseconds; null without a bridge. */
  estimatedFillMs: z.int().nullable(),
})

/** A cash-out with its place, price and payee. */
export interface PlannedOfframp {
  place: SalePlace
  terms: SaleTerms
  payee: PayeeRegistration
  amount: bigint | 'max'
  decimals?: number | undefined
  funders: FunderFilter
}

/**
 * Plans a cash-out by one address: a deposit in the escrow in its name, or a deposit with a bridge whose message makes
 * it.
 * @throws ServiceError `bad-request` CASH_OUT_TOO_SMALL; as the bridge does; `unavailable` TOKEN_METADATA_UNAVAILABLE.
 */
export async function planOfframp(context: KindContext, planned: PlannedOfframp): Promise<QuotePlan> {
  const { place, terms, payee, amount, decimals, funders } = planned
  const { at, offer, venue, token } = place
  const { paymentMethod, currency, rate, minimumRate } = terms
  const sold = await readToken(context, tokenIdOf(at.config.chainId, token))
  const crossing = await bridgeSale(context, place, terms, amount)
  const payeeOf = async () => (await payee.register()).payeeDetails
  const spending: SpendingPlan = crossing
    ? spendByCrossing(context, place, terms, crossing, { funders, payeeOf })
    : spendBySelling(context, place, terms, { funders, payeeOf })
  const soldOf = (spent: bigint) => crossing?.bridged.outputAmount ?? spent
  if (amount !== 'max' && soldOf(amount) < offer.minAmount)
    throw cashOutTooSmall({ details: { minimum: offer.minAmount } })
  const payment = crossing
    ? { name: 'bridge' as const, taker: crossing.bridge.route.spender }
    : { name: 'escrow' as const, taker: offer.escrow }
  return {
    ...spending,
    amount,
    decimals,
    recipient: { address: offer.escrow, name: null, owned: false, poisoning: null },
    details: {
      provider: venue.provider,
      paymentMethod,
      currency,
      escrowChainId: at.config.chainId,
      escrow: offer.escrow,
      orchestrator: offer.orchestrator,
      rate: String(rate),
      minimumRate: String(minimumRate),
      estimatedFillMs: crossing?.estimatedFillMs ?? null,
    } satisfies z.input<typeof offrampDetails>,
    effects: saleEffects(spending.token, payment.taker),
    isVolatile: false,
    isShortLived: true,
    ...(crossing && { executeBefore: crossing.bridged.depositUntil }),
    checkRun(run, parts) {
      const [part] = parts
      const payeeDetails = payee.registered()?.payeeDetails
      if (!part || !payeeDetails) throw new Error('a cash-out was simulated before its payee was registered')
      const { amount: paid, address: depositor } = part
      checkVenueDeposit(run, parts, {
        ...payment,
        isTold: run.watchedChangesComplete,
        tokenIn: spending.token,
        paidToken: spending.token,
        amount: paid,
      })
      if (crossing) return
      const calls = venue.openCalls(at, saleOf(place, terms, { amount: paid, payeeDetails }), 0n)
      demandOpened(place, run, { calls, depositor })
    },
    outputOf: (spent) => ({ token: sold, expected: soldOf(spent), minimum: soldOf(spent) }),
    ...showOfframp(planned, crossing, sold),
    keep: (transaction, quote) => keepPayee(transaction, quote, payee),
  }
}

/** Shows a cash-out: its terms, the worth of the amount that is for sale, and how often the payee was paid. */
function showOfframp(
  { place: { at }, terms, payee }: PlannedOfframp,
  crossing: SaleCrossing | null,
  sold: Token,
): Pick<QuotePlan, 'members' | 'membersOf' | 'caveatsOf'> {
  const { paymentMethod, currency, rate, minimumRate } = terms
  return {
    members: {
      paymentMethod,
      currency,
      escrowChainId: at.config.chainId,
      conversionRate: formatRate(rate),
      minimumConversionRate: formatRate(minimumRate),
      bridgeProvider: crossing?.bridge.venue.provider ?? null,
      estimatedFillTimeMs: crossing?.estimatedFillMs ?? null,
      fillDeadline: crossing && new Date(crossing.bridged.fillDeadline * 1_000).toISOString(),
    },
    membersOf([part]) {
      const forSale = crossing?.bridged.outputAmount ?? part?.amount ?? 0n
      const worth = (of: bigint) => formatFiat(forSale, sold.decimals, { rate: of, currency })
      return {
        payeeDetails: payee.registered()?.payeeDetails ?? null,
        estimatedFiatAmount: worth(rate),
        minimumFiatAmount: worth(minimumRate),
        recoveryRecipient: crossing ? part?.address : null,
      }
    },
    caveatsOf() {
      const earlierCashOuts = payee.registered()?.earlierCashOuts ?? 0
      return earlierCashOuts > 0 ? [{ kind: 'payee_linked', earlierCashOuts }] : []
    },
  }
}

async function keepPayee(
  transaction: CommonQueryMethods,
  quote: { quoteId: string; accountId: string },
  payee: PayeeRegistration,
): Promise<void> {
  const registered = payee.registered()
  if (!registered?.sealed) throw new Error('a stored cash-out has no payee')
  await insertCashPayee(transaction, quote, {
    ...registered.sealed,
    toldCashOuts: registered.earlierCashOuts,
  })
}

/**
 * Returns the effects to watch: the token and the native coin. The calls are our own, with one exact approval to a
 * configured contract, so only the token can leave.
 */
export const saleEffects = (token: Address, taker: Address): RunEffects => ({
  told: 'parties',
  tokens: [token, zeroAddress],
  beside: [taker],
})

/**
 * Checks that the escrow opened exactly this sale in the run.
 * @throws ServiceError `bad-request` SIMULATION_FAILED unless it did.
 */
export function demandOpened(
  { venue, offer }: { venue: CashOutVenue; offer: { escrow: Address } },
  run: SimulatedRun,
  { calls, depositor }: { calls: Parameters<typeof venue.findSale>[0]; depositor: FundedPart['address'] },
): void {
  const sale = venue.findSale(calls, offer.escrow, depositor)
  if (!sale) throw new Error('the calls of a planned cash-out open no sale')
  if (!venue.hasOpened(run, sale)) throw simulationFailed('The escrow would not take the deposit as it is')
}
