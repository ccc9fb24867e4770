// What a client checks before it signs: a quote may be forged, or show one thing and have another signed.
import {
  decodeAbiParameters,
  decodeFunctionData,
  erc20Abi,
  isAddress,
  isAddressEqual,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import type { Client } from './client.ts'
import type { Intent, Quote, SendOptions } from './send.ts'
import type { Call } from './read-canonical-calls.ts'
import { verifyQuote, type Json } from './verify-quote.ts'

/** Calls that somebody else asked for, such as a page, and what the wallet knows by itself. */
export interface AskedCalls {
  chainId: number
  /** The one address that calls, and pays the fee. */
  from: Address
  calls: readonly Call[]
  /** The highest fee to accept, in wei. */
  maxFee: bigint
  /** The contracts of the chain that run the account. */
  orchestrator: Address
  accountProxy: Address
}

/** @throws Error unless the quote is the service's and pays what was asked, and nothing but fees beside it. */
export async function checkQuote(client: Client, quote: Quote, asked: SendOptions): Promise<void> {
  await checkEnvelope(client, quote, asked.chainId)
  if (!isAddressEqual(quote.outputToken, asked.token) || BigInt(quote.expectedOutput) !== asked.amount)
    throw new Error('the quote sends something else')
  if (isAddress(asked.destination) && !isAddressEqual(quote.outputRecipient, asked.destination))
    throw new Error('the quote pays somebody else')
  const payments = quote.intents.flatMap(({ executionData }) =>
    decodeCalls(executionData).map((call) => readPayment(call, asked.token)),
  )
  const sum = (items: { amount: bigint }[]) => items.reduce((total, { amount }) => total + amount, 0n)
  const paid = payments.filter(({ to }) => isAddressEqual(to, quote.outputRecipient))
  if (sum(paid) !== asked.amount) throw new Error('the intents pay the recipient another amount')
  if (sum(payments) !== BigInt(quote.amountIn)) throw new Error('the intents cost more than the quote says')
}

/** @throws Error unless the quote is the service's, and makes exactly these calls from this address, and one fee. */
export async function checkCalls(client: Client, quote: Quote, asked: AskedCalls): Promise<void> {
  const { from, calls, maxFee, orchestrator, accountProxy } = asked
  await checkEnvelope(client, quote, asked.chainId)
  const [intent, ...others] = quote.intents
  if (!intent || others.length > 0 || !isAddressEqual(intent.eoa, from))
    throw new Error('another address than the one that was asked for would act')
  if (intent.domain.verifyingContract?.toLowerCase() !== orchestrator.toLowerCase())
    throw new Error('the intent is for another contract than the orchestrator')
  for (const { address, contractAddress } of quote.delegations)
    if (!isAddressEqual(address, from) || !isAddressEqual(contractAddress, accountProxy))
      throw new Error('a delegation is for another address, or to another contract')
  const made = decodeCalls(intent.executionData)
  if (!calls.every((call, place) => isSameCall(call, made[place])))
    throw new Error('the intent makes other calls than were asked for')
  const fees = made.slice(calls.length).map((call) => readPayment(call, zeroAddress).amount)
  if (fees.length > 1) throw new Error('the intent pays more than one fee')
  const [fee = 0n] = fees
  if (fee > maxFee) throw new Error(`the fee is ${fee} wei, and at most ${maxFee} is accepted`)
  const spent = calls.reduce((sum, { value }) => sum + value, fee)
  if (spent !== BigInt(quote.amountIn)) throw new Error('the intent costs something else than the quote says')
}

const isSameCall = (asked: Call, made: Call | undefined) =>
  made !== undefined &&
  isAddressEqual(asked.to, made.to) &&
  asked.value === made.value &&
  asked.data.toLowerCase() === made.data

/** @throws Error unless the service signed the quote, and its intents and delegations are good for their calls alone. */
export async function checkEnvelope(client: Client, quote: Quote, chainId: number): Promise<void> {
  const key = await client.ask<Parameters<typeof verifyQuote>[1]>(
    'GET',
    '/v1/.well-known/quote-signer-public-key',
  )
  if (!(await verifyQuote(quote as unknown as Record<string, Json>, key)))
    throw new Error('the quote does not carry the signature of the service')
  for (const intent of quote.intents)
    if (doesMoreThanCall(intent, chainId)) throw new Error('an intent does more than its calls say')
  // A delegation for every chain (0) would link the address across them. A wallet also knows the contracts by itself.
  if (quote.delegations.some((delegation) => delegation.chainId !== chainId))
    throw new Error('a delegation is for another chain')
}

/** Besides its calls an intent can be valid on every chain, pay its relayer, and include other intents. */
const doesMoreThanCall = (intent: Intent, chainId: number) =>
  intent.isMultichain ||
  intent.domain.chainId !== chainId ||
  intent.paymentMaxAmount !== '0' ||
  intent.encodedPreCalls.length > 0 ||
  intent.encodedFundTransfers.length > 0

/** The calls that an intent makes as its address. */
export function decodeCalls(executionData: Hex) {
  const call = [
    { type: 'address', name: 'to' },
    { type: 'uint256', name: 'value' },
    { type: 'bytes', name: 'data' },
  ] as const
  return decodeAbiParameters([{ type: 'tuple[]', components: call }] as const, executionData)[0]
}

/** @throws Error for a call that is no payment in the token. */
export function readPayment(call: { to: Address; value: bigint; data: Hex }, token: Address) {
  if (isAddressEqual(token, zeroAddress) && call.data === '0x') return { to: call.to, amount: call.value }
  if (call.value !== 0n || !isAddressEqual(call.to, token)) throw new Error('an intent calls something else')
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
  if (functionName !== 'transfer') throw new Error(`an intent calls ${functionName}`)
  return { to: args[0], amount: args[1] }
}
