// SPDX-License-Identifier: MIT
// The checks of a client for every kind of quote. The service signed it, and its intents and delegations allow only their
// calls, at contracts that the wallet knows. Each kind checks the calls themselves: see check-quote.ts.
import { isAddressEqual, zeroAddress, type Address, type PrivateKeyAccount } from 'viem'
import { demandOwn, type Client } from '../account/open-client.ts'
import { decodeCalls } from '../chain/decode-call.ts'
import { INTENT_TYPES, ORCHESTRATOR, type KnownChain } from '../chain/known-chain.ts'
import type { CalldataCaveat, Call } from '../chain/read-canonical-calls.ts'
import type { Delegation, Intent, Quote } from './send.ts'
import { canonicalize, verifyQuote, type Json } from './verify-quote.ts'

/** The longest life of an intent, in seconds. Quotes end after a day, and the last submission has some minutes to be mined. */
export const A_DAY = 90_000
/**
 * The same where a price can move, or a foreign contract decides: a copy of the intent is an offer until it expires.
 */
export const AN_HOUR = 3_900
/** Another version of the review has another meaning. */
const REVIEW_VERSION = 1
/** An intent with such a nonce is valid on every chain. */
const MULTICHAIN_PREFIX = 0xc1d0n

/** An intent in the words that the wallet signs. */
export interface IntentOrder {
  /** As the service sent it; `submit` returns it unchanged. */
  told: Intent
  signer: PrivateKeyAccount
  eoa: Address
  calls: readonly Call[]
  /** The service's description of bytes behind the arguments of the calls. */
  caveats: readonly CalldataCaveat[]
  nonce: bigint
  combinedGas: bigint
  expiry: bigint
}

export interface DelegationOrder {
  told: Delegation
  signer: PrivateKeyAccount
}

/** All that a quote would have signed. */
export interface Orders {
  quoteId: string
  chain: KnownChain
  intents: readonly IntentOrder[]
  delegations: readonly DelegationOrder[]
}

/**
 * @throws Error unless the service signed the quote. Its intents must do nothing but their calls, on this chain and for
 * its known Orchestrator. Its delegations must be of the same addresses to the known account contract.
 * @param longestSeconds Longest time that an intent of this kind may be good: {@link A_DAY} or {@link AN_HOUR}.
 */
export async function readOrders(
  client: Client,
  quote: Quote,
  chain: KnownChain,
  longestSeconds: number,
): Promise<Orders> {
  const path = '/v1/.well-known/quote-signer-public-key'
  const key = await client.ask<Parameters<typeof verifyQuote>[1]>('GET', path)
  if (!(await verifyQuote(quote as unknown as Record<string, Json>, key)))
    throw new Error('the quote does not carry the signature of the service')
  const intents = quote.intents.map((intent, place) => ({
    ...readIntent(client, intent, chain, longestSeconds),
    caveats: quote.signingReview.intents[place]?.calldataCaveats ?? [],
  }))
  demandDistinct(intents.map(({ eoa }) => eoa.toLowerCase()))
  demandDistinct(intents.map(({ nonce }) => String(nonce)))
  demandReview(quote)
  const sources = quote.selectedFundingSources.map(({ address }) => address.toLowerCase())
  if (String(sources) !== String(intents.map(({ eoa }) => eoa.toLowerCase())))
    throw new Error('other addresses pay than the quote says')
  demandDistinct(quote.delegations.map(({ address }) => address.toLowerCase()))
  const delegations = quote.delegations.map((delegation) => {
    if (!intents.some(({ eoa }) => isAddressEqual(eoa, delegation.address)))
      throw new Error('a delegation is for an address that does not act')
    return readDelegation(client, delegation, chain)
  })
  return { quoteId: quote.quoteId, chain, intents, delegations }
}

function readIntent(
  client: Client,
  told: Intent,
  chain: KnownChain,
  longestSeconds: number,
): Omit<IntentOrder, 'caveats'> {
  const { eoa, derivationNonce, domain, types } = told
  const { chainId, orchestrator } = chain
  const { verifyingContract = zeroAddress, ...named } = domain
  if (!isAddressEqual(verifyingContract, orchestrator))
    throw new Error('an intent is for another contract than the orchestrator that the wallet knows')
  if (told.chainId !== chainId || domain.chainId !== chainId)
    throw new Error('an intent is for another chain')
  if (!isSame(named, { ...ORCHESTRATOR, chainId })) throw new Error('an intent has another domain')
  if (told.primaryType !== 'Intent' || !isSame(types, INTENT_TYPES))
    throw new Error('an intent has other types than the wallet signs')
  demandNothingBeside(told)
  const [nonce, combinedGas, expiry] = [told.nonce, told.combinedGas, told.expiry].map(readNumber)
  if (nonce! >> 240n === MULTICHAIN_PREFIX) throw new Error('an intent is good on every chain')
  demandSoon(expiry!, longestSeconds)
  const calls = decodeCalls(told.executionData)
  if (calls.some((call) => isOfAccount(call, [eoa, orchestrator, chain.accountProxy])))
    throw new Error('an intent calls the account itself')
  return {
    told,
    signer: demandOwn(client, derivationNonce, eoa),
    eoa,
    calls,
    nonce: nonce!,
    combinedGas: combinedGas!,
    expiry: expiry!,
  }
}

/** The review is of these calls: those that the user asked for come first, and the fee follows them if there is one. */
function demandReview({ intents, fees, signingReview: { version, intents: reviews } }: Quote): void {
  const feeCalls = fees.total === '0' ? 0 : 1
  const isRead = intents.every(({ executionData }, place) => {
    const count = decodeCalls(executionData).length
    const review = reviews[place]
    if (!review) return false
    const { userActionCallIndices: asked, simulationCallIndices: simulated } = review
    const isFirst = (places: readonly number[]) => places.every((call, index) => call === index)
    return (
      isFirst(asked) && isFirst(simulated) && simulated.length === count && count - asked.length === feeCalls
    )
  })
  if (version !== REVIEW_VERSION || reviews.length !== intents.length || !isRead)
    throw new Error('the review lists other calls than the user requested')
}

/** An account obeys its own calls: they can hand over its control. The zero address stands for the account (ERC-7821). */
export const isOfAccount = ({ to }: Call, own: readonly Address[]): boolean =>
  [zeroAddress, ...own].some((address) => isAddressEqual(to, address))

/** Besides its calls an intent can pay its relayer, be paid for by another, include other intents and settle elsewhere. */
function demandNothingBeside(told: Intent): void {
  const isNobody = (name: string) => isAddressEqual(told[name] as Address, zeroAddress)
  const isBare =
    Object.is(told.isMultichain, false) &&
    ['payer', 'paymentToken', 'settler', 'funder', 'paymentRecipient'].every(isNobody) &&
    ['paymentMaxAmount', 'paymentAmount'].every((name) => told[name] === '0') &&
    ['settlerContext', 'funderSignature', 'paymentSignature'].every((name) => told[name] === '0x') &&
    told.encodedPreCalls.length === 0 &&
    told.encodedFundTransfers.length === 0
  if (!isBare) throw new Error('an intent does more than its calls say')
}

function readDelegation(
  client: Client,
  told: Delegation,
  { chainId, accountProxy }: KnownChain,
): DelegationOrder {
  // A delegation for every chain (0) would link the address across them.
  if (told.chainId !== chainId) throw new Error('a delegation is for another chain')
  if (!isAddressEqual(told.contractAddress, accountProxy))
    throw new Error('a delegation is to another contract than the account contract that the wallet knows')
  if (!Number.isSafeInteger(told.authorizationNonce) || told.authorizationNonce < 0)
    throw new Error('a delegation has no nonce')
  return { told, signer: demandOwn(client, String(told.derivationNonce), told.address) }
}

/** Anyone with a copy can use an intent until it expires; 0 is never. */
function demandSoon(expiry: bigint, longestSeconds: number): void {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  if (expiry <= now || expiry > now + BigInt(longestSeconds))
    throw new Error('an intent is good for longer than its kind may be, or has expired')
}

function readNumber(text: unknown): bigint {
  if (typeof text === 'string' && /^(?:0|[1-9]\d{0,77})$/.test(text)) return BigInt(text)
  throw new Error('an intent has a number that is none')
}

function demandDistinct(items: readonly string[]): void {
  if (new Set(items).size !== items.length) throw new Error('the quote has two orders to one address')
}

const isSame = (one: unknown, other: unknown) => canonicalize(one as Json) === canonicalize(other as Json)
