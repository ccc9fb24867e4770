// SPDX-License-Identifier: MIT
/** How a wallet shows which function a transaction calls, without trusting the list that names it. */
import {
  decodeFunctionData,
  encodeFunctionData,
  parseAbiItem,
  size,
  slice,
  toFunctionSelector,
  type AbiFunction,
  type Hex,
} from 'viem'
import type { Client } from '../account/open-client.ts'

interface Candidate {
  signature: string
  source: 'standard' | 'descriptor' | 'verified' | 'reported'
  suspicious: boolean
}

/** A function that the calldata may be a call of, with its arguments. */
export interface PossibleCall extends Candidate {
  args: readonly unknown[]
}

/**
 * Lists the calls that the calldata may be, the best known first. A candidate must have its selector, and its
 * arguments, decoded and encoded again, must be the same bytes. Two that remain are shown as two. Empty where none
 * remains.
 */
export async function decodeCalldata(client: Client, data: Hex): Promise<readonly PossibleCall[]> {
  if (size(data) < 4) return []
  const selector = slice(data, 0, 4).toLowerCase()
  const { candidates } = await client.ask<{ candidates: Record<string, Candidate[]> }>(
    'POST',
    '/v1/function-signatures',
    { selectors: [selector] },
  )
  return (candidates[selector] ?? []).flatMap((candidate) => {
    const args = decodeExactly(candidate.signature, data)
    return args ? [{ ...candidate, args }] : []
  })
}

/** The arguments; null for another selector, and for bytes that such a call would not have. */
function decodeExactly(signature: string, data: Hex): readonly unknown[] | null {
  try {
    const abi = [parseAbiItem(`function ${signature}`) as AbiFunction]
    if (toFunctionSelector(abi[0]!) !== slice(data, 0, 4)) return null
    const { functionName, args } = decodeFunctionData({ abi, data })
    return encodeFunctionData({ abi, functionName, args }) === data ? args : null
  } catch {
    return null
  }
}
