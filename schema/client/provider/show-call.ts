// SPDX-License-Identifier: MIT
/**
 * How a wallet shows the purpose of a call, or of typed data, before it is signed: by a checked descriptor (ERC-7730), and
 * a published client.
 */
import {
  eip712,
  format,
  formatTypedData,
  type Descriptor,
  type DisplayModel,
  type FormatOptions,
  type TypedData,
} from '@ethereum-sourcify/clear-signing'
import { writeCanonical, type Json } from '../quotes/verify-quote.ts'
import { isAddress, isAddressEqual, keccak256, slice, toHex, type Address, type Hex } from 'viem'
import type { AppTypedData } from './check-app-signature.ts'

/** A call as it will be signed. */
export interface UnsignedCall {
  chainId: number
  from: Address
  to: Address
  data: Hex
  value: bigint
}

/** A wallet's display of a call, or of typed data. */
export interface ShownCall {
  intent: string
  /** `label: value` of each field. */
  lines: readonly string[]
  /** True where nothing but the contract itself says that the descriptor is about it. */
  byItsOwnWord: boolean
}

interface Answer {
  descriptor: Descriptor
  source: { descriptorHash: Hex }
  binding: { kind: string; chainId: number; address: Address; evidence: { kind: string } }
}

const OWN_WORD: ReadonlySet<string> = new Set(['eip1967', 'eip1967_beacon', 'erc165'])

type Names = NonNullable<FormatOptions['externalDataProvider']>

/**
 * The purpose of the call; null for an undescribed one, whose bytes a wallet shows.
 *
 * @param names Where the client finds tokens, addresses and chains: the wallet's own.
 * @throws Error when the answer is not the one that it claims to be.
 */
export async function showCall(url: string, call: UnsignedCall, names: Names): Promise<ShownCall | null> {
  const { chainId, to, from, data, value } = call
  const about = { chainId, address: to, kind: 'calldata', caller: from, selector: slice(data, 0, 4) } as const
  const answer = await readDescriptor(url, about)
  if (!answer) return null
  const index = { calldataIndex: { [keyOf(about)]: 'it' }, typedDataIndex: {} }
  const shown = await format({ chainId, to, from, data, value }, optionsOf(answer.descriptor, index, names))
  return shown.rawCalldataFallback ? null : describe(shown, answer)
}

/**
 * The purpose of typed data (EIP-712); null for data without a descriptor, whose fields a wallet shows. A domain that is
 * signed without its chain or its contract has none.
 *
 * @param from The address that signs.
 * @throws Error when the answer is not the one that it claims to be.
 */
export async function showTypedData(
  url: string,
  { from, typedData }: { from: Address; typedData: AppTypedData },
  names: Names,
): Promise<ShownCall | null> {
  const { types, primaryType, message } = typedData
  const { chainId: written, verifyingContract: to, ...domain } = typedData.domain ?? {}
  const chainId = Number(written)
  const signed = types['EIP712Domain']?.map(({ name }) => name) ?? ['chainId', 'verifyingContract']
  if (!signed.includes('chainId') || !signed.includes('verifyingContract')) return null
  if (!Number.isSafeInteger(chainId) || !to || !isAddress(to, { strict: false })) return null
  const type = eip712.computeEncodeType(primaryType, types)
  if (type === undefined) return null
  const hash = keccak256(toHex(type))
  const about = { chainId, address: to, kind: 'eip712', caller: from, formatKey: hash } as const
  const answer = await readDescriptor(url, about)
  if (!answer) return null
  const entry = { [primaryType]: [{ path: 'it', encodeTypeHashes: [hash] }] }
  const index = { calldataIndex: {}, typedDataIndex: { [keyOf(about)]: entry } }
  const { EIP712Domain: _, ...own } = types
  const data = {
    account: from,
    domain: { ...domain, chainId, verifyingContract: to },
    types: own,
    primaryType,
    message,
  } as TypedData
  return describe(await formatTypedData(data, optionsOf(answer.descriptor, index, names)), answer)
}

interface About {
  chainId: number
  address: Address
  kind: 'calldata' | 'eip712'
  caller: Address
  selector?: Hex
  formatKey?: Hex
}

const keyOf = ({ chainId, address }: About) => `eip155:${chainId}:${address.toLowerCase()}`

const optionsOf = (
  descriptor: Descriptor,
  index: { calldataIndex: Record<string, string>; typedDataIndex: object },
  names: Names,
): FormatOptions => ({
  descriptorResolverOptions: {
    type: 'custom',
    resolver: { index: index as never, fetchDescriptor: async () => descriptor },
  },
  externalDataProvider: names,
})

/** The checked descriptor, about the asked contract; null where there is none. */
async function readDescriptor(url: string, about: About): Promise<Answer | null> {
  const { chainId, address, kind, ...more } = about
  const query = new URLSearchParams({ chainId: String(chainId), address, kind, ...more })
  const response = await fetch(`${url}/v1/clear-signing/descriptor?${query}`)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  const answer = (await response.json()) as Answer
  const { descriptor, source, binding } = answer
  if (keccak256(toHex(writeCanonical(descriptor as unknown as Json))) !== source.descriptorHash)
    throw new Error('the descriptor is not the one that the service names')
  const part = kind === 'calldata' ? 'contract' : 'eip712'
  const isNamed = (descriptor.context?.[part]?.deployments ?? []).some(
    (one) => one.chainId === binding.chainId && isAddressEqual(one.address as Address, binding.address),
  )
  if (!isNamed || (binding.kind !== 'proxy' && !isAddressEqual(binding.address, address)))
    throw new Error('the descriptor is about another contract')
  // The client compares the asked contract with the deployments, which name a proxy's implementation.
  const named = { ...descriptor.context?.[part], deployments: [{ chainId, address }] }
  return { ...answer, descriptor: { ...descriptor, context: { ...descriptor.context, [part]: named } } }
}

function describe({ intent, fields = [] }: DisplayModel, { binding }: Answer): ShownCall | null {
  if (typeof intent !== 'string') return null
  const all = fields.flatMap((field) => ('fields' in field ? field.fields : [field]))
  return {
    intent,
    lines: all.map(({ label, value }) => `${label}: ${value}`),
    byItsOwnWord: OWN_WORD.has(binding.evidence.kind),
  }
}
