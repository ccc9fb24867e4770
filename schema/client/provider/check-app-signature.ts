// SPDX-License-Identifier: MIT
// Checks that a page may have data signed by the address that it knows. The signature of that key is enough to spend
// from the address and to sign in for it. So a wallet refuses everything that could do either, whatever its user says.
import {
  hexToBytes,
  isAddress,
  isAddressEqual,
  hashTypedData,
  type Address,
  type Hex,
  type TypedDataDefinition,
} from 'viem'
import { fail } from './provider-error.ts'
import { readObject } from './read-app-request.ts'

/** Typed data of a page, whose types are unknown before. */
export type AppTypedData = TypedDataDefinition<Record<string, { name: string; type: string }[]>, string>

const SIGN_IN = ' wants you to sign in with your Ethereum account:'

/**
 * A message by EIP-191, as text. Its prefix keeps it from being an intent, an EIP-7702 authorization or a transaction;
 * but it may sign in (EIP-4361). It may sign in to the asking page only: not to a site that the page copies, and not to
 * the service.
 *
 * @throws ProviderError 4100.
 */
export function demandSafeMessage(
  message: Hex,
  { from, origin, signInHost }: { from: Address; origin: string; signInHost: string },
): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(hexToBytes(message))
  if (!text.toLowerCase().includes('wants you to sign in with your ethereum account')) return text
  const { host } = new URL(origin)
  const [first = '', address = '', ...rest] = text.split('\n')
  const isForPage = first === `${host}${SIGN_IN}` || first === `${origin}${SIGN_IN}`
  const uri = rest.find((line) => line.startsWith('URI: '))?.slice('URI: '.length) ?? ''
  if (!isForPage || !URL.canParse(uri) || new URL(uri).origin !== origin)
    fail(4100, 'a page may only ask to sign in to itself')
  if (address.toLowerCase() !== from.toLowerCase())
    fail(4100, 'a page may only ask to sign in by its address')
  if (host === signInHost) fail(4100, 'no page may ask to sign in to the service')
  return text
}

/**
 * Typed data (EIP-712), copied. Intents are signed for the orchestrator, and orders to a delegated address for the
 * address itself. Both spend everything that it holds, so nothing is signed whose `verifyingContract` is one of `own`.
 *
 * @throws ProviderError -32602 for data that cannot be signed or are for another chain, 4100 for data that could spend.
 */
export function readTypedData(
  asked: unknown,
  { chainId, own }: { chainId: number; own: readonly Address[] },
): AppTypedData {
  const { domain, types, primaryType, message } = readObject(parseJson(asked))
  const of = readObject(domain)
  const contract = of['verifyingContract']
  if (of['chainId'] !== undefined && !isSame(of['chainId'], chainId))
    fail(-32602, 'domain.chainId: expected the active chain')
  if (contract !== undefined) {
    if (typeof contract !== 'string' || !isAddress(contract, { strict: false }))
      return fail(-32602, 'domain.verifyingContract: expected an address')
    if (own.some((one) => isAddressEqual(one, contract)))
      fail(4100, 'an app may not have orders to the account signed')
  }
  const typedData = { domain: of, types: readObject(types), primaryType, message: readObject(message) }
  try {
    hashTypedData(typedData as unknown as AppTypedData)
  } catch {
    fail(-32602, 'expected typed data by EIP-712')
  }
  return typedData as unknown as AppTypedData
}

/** Libraries send typed data as JSON. A copy cannot change between the user's approval and the signature. */
function parseJson(asked: unknown): unknown {
  try {
    return JSON.parse(typeof asked === 'string' ? asked : JSON.stringify(asked))
  } catch {
    return fail(-32602, 'expected typed data as JSON')
  }
}

/** Apps write a chain id as a number, in decimal or in hex. */
function isSame(asked: unknown, chainId: number): boolean {
  return (typeof asked === 'number' || typeof asked === 'string') && Number(asked) === chainId
}
