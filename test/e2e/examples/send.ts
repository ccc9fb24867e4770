/**
 * How a client sends: it requests a quote, which reserves the funds; verifies that the service signed it and that it does
 * what was asked; signs its intents and delegations, each with the key of its one-time address; submits them; and follows
 * them to their end. The service pays the gas and takes its fee out of what is sent.
 *
 *     SPEND_KEY=0x… VIEW_KEY=0x… node_modules/.bin/node test/e2e/examples/send.ts http://127.0.0.1:4000 \
 *       <chainId> <token, or 0x0000000000000000000000000000000000000000> <smallest units> <destination>
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAddressEqual, serializeSignature, type Address, type Hex, type TypedDataDomain } from 'viem'
import { openClient, type Client } from './client.ts'
import { checkQuote, decodeCalls } from './check-quote.ts'
import { silently, type Step } from './step.ts'

const POLL_MS = 500
const PATIENCE_MS = 120_000

export interface SendOptions {
  chainId: number
  /** The zero address is the native coin. */
  token: Address
  /** Amount for the recipient, in the token's smallest unit. */
  amount: bigint
  /** An address or a name. */
  destination: string
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

interface Delegation {
  chainId: number
  address: Address
  contractAddress: Address
  derivationNonce: number
  authorizationNonce: number
}

/** The members of a quote that this client uses. */
export interface Quote {
  quoteId: string
  intents: Intent[]
  delegations: Delegation[]
  expectedOutput: string
  outputToken: Address
  outputRecipient: Address
  /** All that leaves the addresses: what is sent and the fees. */
  amountIn: string
  /** `addresses_joined`: the payment will link these addresses on chain. */
  fundingCaveats: { kind: string; addressCount: number }[]
  selectedFundingSources: { address: Address; amount: string }[]
  fees: { network: string; service: string; total: string; waived: boolean }
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
  await step('verify who signed the quote, and what it does', () => checkQuote(client, quote, options))
  return { quote, txHash: await signAndSubmit(client, quote, step) }
}

/** @returns The transaction that has paid. @throws Error where the payment fails. */
export async function signAndSubmit(client: Client, quote: Quote, step: Step = silently): Promise<Hex> {
  const many = quote.intents.length > 1 ? `${quote.intents.length} intents, each` : 'the intent'
  const signed = await step(`sign ${many} with the key of its address`, () => signQuote(client, quote))
  await step('submit', () => client.ask('POST', `/v1/accounts/${client.accountId}/submit`, signed))
  return step('follow it to its end', (show) => waitUntilConfirmed(client, quote.quoteId, show))
}

export async function askQuote(
  client: Client,
  { chainId, token, amount, destination }: SendOptions,
): Promise<Quote> {
  const body = { type: 'send', chainId, token, amount: String(amount), destinationAddress: destination }
  return client.ask<Quote>('POST', `/v1/accounts/${client.accountId}/quote`, body)
}

/** The body of `submit`: the objects of the quote, each with its signature. */
export async function signQuote(client: Client, { quoteId, intents, delegations }: Quote) {
  return {
    quoteId,
    intents: await Promise.all(intents.map((intent) => signIntent(client, intent))),
    delegations: await Promise.all(delegations.map((delegation) => signDelegation(client, delegation))),
  }
}

/** EIP-712: of the fields that `types` names, with `executionData` as the calls that it encodes. */
async function signIntent(client: Client, intent: Intent) {
  const { domain, types, executionData, isMultichain } = intent
  const message = { ...intent, multichain: isMultichain, calls: decodeCalls(executionData) }
  const account = keyOf(client, intent.derivationNonce, intent.eoa)
  const signature = await account.signTypedData({ domain, types, primaryType: 'Intent', message })
  return { ...intent, signature }
}

/** EIP-7702: lets the address run the account contract, on this chain alone. */
async function signDelegation(client: Client, delegation: Delegation) {
  const { chainId, contractAddress, authorizationNonce: nonce } = delegation
  const account = keyOf(client, String(delegation.derivationNonce), delegation.address)
  const { r, s, yParity } = await account.signAuthorization({ chainId, contractAddress, nonce })
  return { ...delegation, signature: serializeSignature({ r, s, yParity: yParity ?? 0 }) }
}

function keyOf(client: Client, derivationNonce: string, address: Address) {
  const account = client.controlOf(derivationNonce)
  if (!isAddressEqual(account.address, address))
    throw new Error(`${address} is not an address of the account`)
  return account
}

/** Follows what was submitted to its end. @throws Error where it fails. */
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
    if (status === 'failed') throw new Error('the payment failed; its funds are free again')
    if (performance.now() > deadline) throw new Error(`the payment is still ${status}`)
    await sleep(POLL_MS)
  }
}

if (import.meta.main) {
  const { SPEND_KEY, VIEW_KEY } = process.env
  const [url = 'http://127.0.0.1:4000', chainId, token, amount, destination] = process.argv.slice(2)
  if (!SPEND_KEY || !VIEW_KEY || !destination || !amount) {
    console.error(
      'Usage: SPEND_KEY=0x… VIEW_KEY=0x… send.ts <url> <chainId> <token> <smallest units> <destination>',
    )
    process.exit(1)
  }
  const client = await openClient({ url, spendKey: SPEND_KEY as Hex, viewKey: VIEW_KEY as Hex })
  const asked = { chainId: Number(chainId), token: token as Address, amount: BigInt(amount), destination }
  const { quote, txHash } = await send(client, {
    ...asked,
    step: (text, work) => (console.log(text), work(() => {})),
  })
  console.log(`confirmed by ${txHash}, fees ${quote.fees.total}`)
}
