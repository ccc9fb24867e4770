// SPDX-License-Identifier: MIT
/**
 * How a wallet shows the purpose of a call before it is signed: by a checked descriptor (ERC-7730), and a published
 * client.
 */
import { format, type Descriptor, type FormatOptions } from '@ethereum-sourcify/clear-signing'
import { writeCanonical, type Json } from '../quotes/verify-quote.ts'
import { isAddressEqual, keccak256, slice, toHex, type Address, type Hex } from 'viem'

/** A call as it will be signed. */
export interface UnsignedCall {
  chainId: number
  from: Address
  to: Address
  data: Hex
  value: bigint
}

/** A wallet's display of a call. */
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

/**
 * The purpose of the call; null for an undescribed one, whose bytes a wallet shows.
 *
 * @param names Where the client finds tokens, addresses and chains: the wallet's own.
 * @throws Error when the answer is not the one that it claims to be.
 */
export async function showCall(
  url: string,
  call: UnsignedCall,
  names: NonNullable<FormatOptions['externalDataProvider']>,
): Promise<ShownCall | null> {
  const { chainId, to, from, data, value } = call
  const query = new URLSearchParams({
    chainId: String(chainId),
    address: to,
    kind: 'calldata',
    selector: slice(data, 0, 4),
    caller: from,
  })
  const response = await fetch(`${url}/v1/clear-signing/descriptor?${query}`)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  const { descriptor, source, binding } = (await response.json()) as Answer
  if (keccak256(toHex(writeCanonical(descriptor as unknown as Json))) !== source.descriptorHash)
    throw new Error('the descriptor is not the one that the service names')
  const own = descriptor.context?.contract?.deployments ?? []
  const isNamed = own.some(
    (one) => one.chainId === binding.chainId && isAddressEqual(one.address as Address, binding.address),
  )
  if (!isNamed || (binding.kind !== 'proxy' && !isAddressEqual(binding.address, to)))
    throw new Error('the descriptor is about another contract')
  // The client compares the called contract with the deployments, which name a proxy's implementation.
  const about: Descriptor = {
    ...descriptor,
    context: {
      ...descriptor.context,
      contract: { ...descriptor.context?.contract, deployments: [{ chainId, address: to }] },
    },
  }
  const index = { calldataIndex: { [`eip155:${chainId}:${to.toLowerCase()}`]: 'it' }, typedDataIndex: {} }
  const shown = await format(
    { chainId, to, from, data, value },
    {
      descriptorResolverOptions: { type: 'custom', resolver: { index, fetchDescriptor: async () => about } },
      externalDataProvider: names,
    },
  )
  if (shown.rawCalldataFallback || typeof shown.intent !== 'string') return null
  const fields = (shown.fields ?? []).flatMap((field) => ('fields' in field ? field.fields : [field]))
  return {
    intent: shown.intent,
    lines: fields.map(({ label, value }) => `${label}: ${value}`),
    byItsOwnWord: OWN_WORD.has(binding.evidence.kind),
  }
}
