/**
 * How a client sells tokens for money on a bank account or payment app: it asks for a quote, makes sure by decoding every call
 * that the escrow holds just what is sold, for just this payee, at no less than the least rate, and that nobody but the
 * depositor can take it back; then it signs, submits and follows as with a payment. What buyers do is followed on: see
 * {@link followCashOut}. What is not sold can be taken back: see {@link withdrawCashOut}.
 *
 *     SPEND_KEY=0x… VIEW_KEY=0x… node_modules/.bin/node test/e2e/examples/cash-out.ts http://127.0.0.1:4000 \
 *       <chainId> <token> <smallest units> <method> <currency> <handle> <escrow> <gating service> <rate feed>
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { checkCashOut, checkWithdrawal } from './check-cash-out.ts'
import { openClient, type Client } from './client.ts'
import type { CalldataCaveat } from './read-canonical-calls.ts'
import { signAndSubmit, type Quote } from './send.ts'
import { silently, type Step } from './step.ts'
import type { CarriedToken } from './swap.ts'

export interface CashOutOptions {
  chainId: number
  token: Address
  /** What is sold, in the token's smallest unit; fees come on top. */
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
  /** Whose signature a buyer needs. */
  gatingService: Address
  /** The escrow's feed of the currency. */
  feed: Address
  /** Where the client asks whom the escrow's hash names; not asked where it is left out. */
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
  signingReview: { intents: { userActionCallIndices: number[]; calldataCaveats: CalldataCaveat[] }[] }
}

/** A quote that takes back what was not sold. */
export interface WithdrawalQuote extends Quote {
  minimumOutput: string
  depositId: string
  withdrawnAmount: string
  signingReview: CashOutQuote['signingReview']
}

/** @throws Error where the service refuses, the quote does something else, or the deposit fails. */
export async function cashOut(
  client: Client,
  options: CashOutOptions,
): Promise<{ quote: CashOutQuote; txHash: Hex }> {
  const { step = silently } = options
  const quote = await step('ask for a quote, which reserves the funds', () => askCashOut(client, options))
  await step('verify who signed the quote, and decode what it does', () =>
    checkCashOut(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, quote, step) }
}

/** What a preview answers. */
export interface CashOutPreview {
  methods: { paymentMethod: string; currencies: { currency: string; conversionRate: string | null }[] }[]
  conversionRate: string
  estimatedFiatAmount: string
  minimumFiatAmount: string
  feeEstimate: string | null
  /** The account's funds do not suffice. */
  rateOnly: boolean
}

/** What a quote would say now; nothing is reserved, and nobody is told of a payee. */
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

/** The venue's curator is told the handle now, and no address. */
export async function askCashOut(client: Client, options: CashOutOptions): Promise<CashOutQuote> {
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

/** Takes back what no buyer holds: so much, or all of it, which closes the sale. Gas is paid out of what comes back. */
export async function withdrawCashOut(
  client: Client,
  {
    chainId,
    depositId,
    amount,
    token,
    venue,
    step = silently,
  }: {
    chainId: number
    /** `peerDepositId` of the activity. */
    depositId: string
    amount?: bigint
    token: Address
    venue: Pick<CashOutContracts, 'escrow'>
    step?: Step
  },
): Promise<{ quote: WithdrawalQuote; txHash: Hex }> {
  const quote = await step('ask to have the rest back', () =>
    client.ask<WithdrawalQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
      type: 'offramp_withdraw',
      chainId,
      depositId,
      amount: amount === undefined ? undefined : String(amount),
    }),
  )
  await step('decode what comes back, and what it costs', () =>
    checkWithdrawal(client, quote, { chainId, depositId, amount, token, venue }),
  )
  return { quote, txHash: await signAndSubmit(client, quote, step) }
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

if (import.meta.main) {
  const { SPEND_KEY, VIEW_KEY } = process.env
  const [url = 'http://127.0.0.1:4000', chainId, token, amount, ...terms] = process.argv.slice(2)
  const [paymentMethod, currency, payee, escrow, gatingService, feed] = terms
  if (!SPEND_KEY || !VIEW_KEY || !amount || !paymentMethod || !currency || !payee || !feed) {
    console.error(
      'Usage: SPEND_KEY=0x… VIEW_KEY=0x… cash-out.ts <url> <chainId> <token> <smallest units> <method> <currency> <handle> <escrow> <gating service> <rate feed>',
    )
    process.exit(1)
  }
  const client = await openClient({ url, spendKey: SPEND_KEY as Hex, viewKey: VIEW_KEY as Hex })
  const { quote, txHash } = await cashOut(client, {
    chainId: Number(chainId),
    token: token as Address,
    amount: BigInt(amount),
    paymentMethod,
    currency,
    payee,
    leastRate: 1n,
    venue: { escrow: escrow as Address, gatingService: gatingService as Address, feed: feed as Address },
    step: (text, work) => (console.log(text), work(() => {})),
  })
  console.log(`deposited by ${txHash}: buyers would pay ${quote.estimatedFiatAmount}`)
}
