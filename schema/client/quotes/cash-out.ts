// SPDX-License-Identifier: MIT
/**
 * How a client sells tokens for money on a bank account or payment app. It asks for a quote and decodes every call. The
 * escrow must hold exactly the sold amount, for exactly this payee, at no less than the least rate. Only the depositor
 * may take it back. Then it signs, submits and follows as with a payment. To follow the buyers: {@link followCashOut}.
 * To take the unsold part back: {@link withdrawCashOut}.
 */
import { sleep } from '../requests/sleep.ts'
import { checkCashOut, checkCashOutWithdrawal } from './check-cash-out.ts'
import { type Client } from '../account/open-client.ts'
import { signAndSubmit, type Quote, type SpendLimits } from './send.ts'
import { silently, type Step } from '../requests/step.ts'
import type { CarriedToken } from '../chain/known-chain.ts'
import type { Address, Hex } from 'viem'

export interface CashOutOptions extends SpendLimits {
  chainId: number
  token: Address
  /** The amount to sell, in the token's smallest unit; fees come on top. */
  amount: bigint
  /** By the venue's name: `venmo`. */
  paymentMethod: string
  /** By ISO 4217. */
  currency: string
  /** Handle of the payee, as the payment app has it. */
  payee: string
  /** The least that a whole token is sold for, times 1e18. */
  leastRate: bigint
  /** The contracts that the client itself trusts; nothing else is called, whatever the service says. */
  venue: CashOutContracts
  /** The escrow is on another chain. */
  crossing?: CashOutCrossing
  step?: Step
}

/** The escrow as the client itself knows it. */
export interface CashOutContracts {
  escrow: Address
  /** The signer that a buyer needs. */
  gatingService: Address
  /** The escrow's feed of the currency. */
  feed: Address
  /** Which of its prices: `adapterConfig` of the currency; not compared where it is left out, the least rate holds anyway. */
  feedConfig?: Hex
  /** The curator that resolves the escrow's hash to a payee; not asked if left out. */
  curatorUrl?: string
}

/** The way to the escrow's chain over Across. */
export interface CashOutCrossing {
  /** Of the escrow. */
  chainId: number
  /** Takes the deposit, on the chain of the token. */
  spokePool: Address
  /** Runs the message of a deposit on the escrow's chain. */
  multicallHandler: Address
  carried: readonly { input: CarriedToken; output: CarriedToken }[]
  maxFeeBps?: number
  now?: number
}

/** Members that only a quote of a cash-out has. */
export interface CashOutQuote extends Quote {
  escrowChainId: number
  payeeDetails: Hex
  paymentMethod: string
  currency: string
  conversionRate: string
  minimumConversionRate: string
  /** An estimate until a buyer signals. */
  estimatedFiatAmount: string
  minimumFiatAmount: string
  recoveryRecipient: Address | null
  fillDeadline: string | null
}

/** A quote that takes back the unsold part. */
export interface WithdrawalQuote extends Quote {
  depositId: string
  withdrawnAmount: string
}

/** @throws Error where the service refuses, the quote does something else, or the deposit fails. */
export async function cashOut(
  client: Client,
  options: CashOutOptions,
): Promise<{ quote: CashOutQuote; txHash: Hex }> {
  const { step = silently } = options
  const quote = await step('ask for a quote, which reserves the funds', () => askCashOut(client, options))
  const approved = await step('verify who signed the quote, and decode what it does', () =>
    checkCashOut(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

/** The answer to a preview. */
export interface CashOutPreview {
  methods: { paymentMethod: string; currencies: { currency: string; conversionRate: string | null }[] }[]
  conversionRate: string
  estimatedFiatAmount: string
  minimumFiatAmount: string
  feeEstimate: string | null
  /** The account's funds do not suffice. */
  rateOnly: boolean
}

/** Asks for a quote's terms as of now. Reserves nothing and names no payee. */
export async function previewCashOut(
  client: Client,
  asked: Pick<CashOutOptions, 'chainId' | 'token' | 'amount' | 'crossing'> &
    Partial<Pick<CashOutOptions, 'paymentMethod' | 'currency'>>,
): Promise<CashOutPreview> {
  const { chainId, token, amount, crossing, paymentMethod, currency } = asked
  return client.ask<CashOutPreview>('POST', `/v1/accounts/${client.accountId}/offramp-preview`, {
    chainId,
    token,
    amount: String(amount),
    escrowChainId: crossing?.chainId,
    paymentMethod,
    currency,
  })
}

/** The venue's curator receives the handle now, and no address. */
export async function askCashOut(
  client: Client,
  options: Omit<CashOutOptions, 'maxFee' | 'leastRate'>,
): Promise<CashOutQuote> {
  const { chainId, token, amount, paymentMethod, currency, payee, crossing } = options
  return client.ask<CashOutQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
    type: 'offramp',
    chainId,
    token,
    amount: String(amount),
    paymentMethod,
    currency,
    payee,
    escrowChainId: crossing?.chainId,
  })
}

export interface WithdrawCashOutOptions {
  chainId: number
  /** `peerDepositId` of the activity. */
  depositId: string
  /** All that no buyer holds unless given, which closes the sale. */
  amount?: bigint
  /** The token in escrow, which also pays the fee. */
  token: Address
  /** The highest fee, in the smallest unit of the token. */
  maxFee: bigint
  venue: Pick<CashOutContracts, 'escrow'>
  step?: Step
}

/** Takes back the part that no buyer holds. The returned funds pay the gas. */
export async function withdrawCashOut(
  client: Client,
  options: WithdrawCashOutOptions,
): Promise<{ quote: WithdrawalQuote; txHash: Hex }> {
  const { chainId, depositId, amount, step = silently } = options
  const quote = await step('ask to have the rest back', () =>
    client.ask<WithdrawalQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
      type: 'offramp_withdraw',
      chainId,
      depositId,
      amount: amount === undefined ? undefined : String(amount),
    }),
  )
  const approved = await step('decode what comes back, and what it costs', () =>
    checkCashOutWithdrawal(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

/** How a cash-out stands, as its activity says. Amounts in the smallest unit of the token in escrow. */
export interface CashOutState {
  phase: string
  failureKind: string | null
  peerDepositId: string | null
  escrowAmount: string
  filled: string
  remaining: string
  outstanding: string
  acceptsBuyers: boolean
  progress: number
  estimatedFiatAmount: string | null
  recoverableAt: string | null
  buyerPaymentDueAt: string | null
}

/** Follows a submitted cash-out until it has one of these phases. @throws Error where it ends otherwise. */
export async function followCashOut(
  client: Client,
  { quoteId }: Pick<CashOutQuote, 'quoteId'>,
  {
    until,
    show = () => {},
    patienceMs = 120_000,
  }: { until: readonly string[]; show?: (phase: string) => void; patienceMs?: number },
): Promise<CashOutState> {
  const end = performance.now() + patienceMs
  for (;;) {
    const path = `/v1/accounts/${client.accountId}/activities`
    const { activity } = await client.ask<{
      activity: { quoteId?: string; offRamp?: CashOutState | null }[]
    }>('GET', path)
    const state = activity.find((one) => one.quoteId === quoteId)?.offRamp
    if (state) show(state.phase)
    if (state && until.includes(state.phase)) return state
    const isOver = state && ['completed', 'returned', 'failed'].includes(state.phase)
    if (isOver || performance.now() > end) throw new Error(`the cash-out is ${state?.phase ?? 'nowhere'}`)
    await sleep(500)
  }
}
