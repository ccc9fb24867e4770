// SPDX-License-Identifier: MIT
/**
 * How a client sends. It requests a quote, which reserves the funds, and verifies that the service signed it and that
 * it does as asked. It signs each intent and delegation with the key of its one-time address, submits them, and follows
 * them to their end. The service pays the gas and takes its fee out of the sent funds.
 */
import { sleep } from '../requests/sleep.ts'
import { type Client } from '../account/open-client.ts'
import { checkSend } from './check-send.ts'
import type { CalldataCaveat } from '../chain/read-canonical-calls.ts'
import { signOrders, type Approved, type Submission } from './sign-orders.ts'
import { silently, type Step } from '../requests/step.ts'
import type { Address, Hex, TypedDataDomain } from 'viem'

const POLL_MS = 500
const PATIENCE_MS = 120_000

/** The limits of the user. The wallet sets them, not the service. */
export interface SpendLimits {
  /** The highest fee, in the smallest unit of the token that pays it. */
  maxFee: bigint
  /** How many addresses may pay together, which the chain shows for good; one unless given. */
  maxAddresses?: number
}

export interface SendOptions extends SpendLimits {
  chainId: number
  /** The zero address is the native coin. */
  token: Address
  /** Amount for the recipient, in the token's smallest unit. */
  amount: bigint
  /** An address or a name. */
  destination: string
  /** Asked about the address of a name: the wallet has also resolved it, or its user has compared it. */
  confirmRecipient?: (address: Address) => boolean | Promise<boolean>
  step?: Step
}

export interface Intent {
  eoa: Address
  derivationNonce: string
  executionData: Hex
  /** Seconds since 1970 after which the chain rejects it. */
  expiry: string
  domain: TypedDataDomain
  types: { Intent: { name: string; type: string }[]; Call: { name: string; type: string }[] }
  isMultichain: boolean
  paymentMaxAmount: string
  encodedPreCalls: Hex[]
  encodedFundTransfers: Hex[]
  [name: string]: unknown
}

export interface Delegation {
  chainId: number
  address: Address
  contractAddress: Address
  derivationNonce: number
  authorizationNonce: number
}

/** The members of a quote that this client uses. */
export interface Quote {
  quoteId: string
  /** ISO 8601; until then it can be submitted. */
  expiresAt: string
  intents: Intent[]
  delegations: Delegation[]
  expectedOutput: string
  minimumOutput: string
  outputToken: Address
  outputRecipient: Address
  /** All that leaves the addresses: the sent amount and the fees. */
  amountIn: string
  /** `addresses_joined`: the payment will link these addresses on chain. */
  fundingCaveats: { kind: string; addressCount: number }[]
  selectedFundingSources: { address: Address; amount: string }[]
  fees: { network: string; service: string; vetting: string; deposit: string; total: string; waived: boolean }
  /** The purposes of each intent's calls, in the order of the intents. */
  signingReview: { version: number; intents: IntentReview[] }
}

interface IntentReview {
  userActionCallIndices: number[]
  simulationCallIndices: number[]
  calldataCaveats: CalldataCaveat[]
}

interface RelayStatus {
  status: string
  txHash: Hex | null
  confirmedTxHash: Hex | null
}

/** @throws Error where the service refuses, the quote does something else, or the payment fails. */
export async function send(client: Client, options: SendOptions): Promise<{ quote: Quote; txHash: Hex }> {
  const { step = silently } = options
  const quote = await step('ask for a quote, which reserves the funds', () => askQuote(client, options))
  const approved = await step('verify who signed the quote, and what it does', () =>
    checkSend(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

/** @returns The transaction that has paid. @throws Error where the payment fails. */
export async function signAndSubmit(client: Client, approved: Approved, step: Step = silently): Promise<Hex> {
  const { quoteId, intents } = approved
  const many = intents.length > 1 ? `${intents.length} intents, each` : 'the intent'
  const signed = await step(`sign ${many} with the key of its address`, () => signOrders(approved))
  await step('submit', () => client.ask('POST', `/v1/accounts/${client.accountId}/submit`, signed))
  return step('follow it to its end', (show) => waitUntilConfirmed(client, quoteId, show))
}

/**
 * Submits what `signQuote` or `signPoolQuote` signed, and follows it to its end. `show` receives each state.
 * @returns The transaction that has paid.
 * @throws ServiceRefusal where the service refuses it, SubmissionFailed where it fails, Error where it takes too long.
 */
export async function submitSigned(
  client: Client,
  signed: Submission,
  show: (state: string) => void = () => {},
): Promise<Hex> {
  await client.call('submitQuote', { body: signed })
  return waitUntilConfirmed(client, signed.quoteId, show)
}

export async function askQuote(
  client: Client,
  { chainId, token, amount, destination }: Omit<SendOptions, 'maxFee'>,
): Promise<Quote> {
  const body = { type: 'send', chainId, token, amount: String(amount), destinationAddress: destination }
  return client.ask<Quote>('POST', `/v1/accounts/${client.accountId}/quote`, body)
}

/**
 * The same order at the present price; its funds stay locked and its output goes to the same address. The check of its kind
 * comes next, as for any quote.
 * @throws Error where the service refuses, or the chain could execute both the old quote and the new one.
 */
export async function refreshQuote<Refreshed extends Quote>(
  client: Client,
  old: Refreshed,
): Promise<Refreshed> {
  const path = `/v1/accounts/${client.accountId}/quotes/${old.quoteId}/refresh`
  const quote = await client.ask<Refreshed>('POST', path, {}, { 'idempotency-key': crypto.randomUUID() })
  const noncesOf = ({ intents }: Quote) =>
    intents.map(({ eoa, nonce }) => `${eoa.toLowerCase()} ${String(nonce)}`).toSorted()
  // The chain executes one intent of a nonce.
  if (String(noncesOf(quote)) !== String(noncesOf(old)))
    throw new Error('the refreshed quote could be executed beside the old one')
  return quote
}

/** The service says that a submission failed. */
export class SubmissionFailed extends Error {
  override name = 'SubmissionFailed'
}

/**
 * Follows a submission to its end.
 * @throws SubmissionFailed where it fails, Error where it takes too long.
 */
export async function waitUntilConfirmed(
  client: Client,
  quoteId: string,
  show: (state: string) => void,
): Promise<Hex> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { status, confirmedTxHash } = await client.ask<RelayStatus>(
      'GET',
      `/v1/accounts/${client.accountId}/relay-status/${quoteId}`,
    )
    show(status)
    if (status === 'confirmed' && confirmedTxHash) return confirmedTxHash
    if (status === 'failed') throw new SubmissionFailed('the payment failed; its funds are free again')
    if (performance.now() > deadline) throw new Error(`the payment is still ${status}`)
    await sleep(POLL_MS)
  }
}
