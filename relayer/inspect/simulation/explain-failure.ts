import {
  decodeErrorResult,
  encodeErrorResult,
  parseAbi,
  parseAbiItem,
  size,
  slice,
  type AbiParameter,
  type Hex,
} from 'viem'
import { decodeRevert } from '../../../proving/simulation/decode-revert.ts'
import { relayErrorAbi } from '../../chain/contracts/privacy-pools.ts'
import { sanitizeText } from '../../market/tokens/sanitize-text.ts'
import { intentErrorAbi } from '../../transact/intents/intent-abi.ts'
import type { FunctionSignatures } from '../function-signatures/function-signatures.ts'

const MAX_LENGTH = 500
const MAX_UNKNOWN_BYTES = 256
/** Longer data is not decoded: a contract can answer with megabytes, and decoding takes time of the main thread. */
const MAX_DECODED_BYTES = 8_192

/** Errors of the contracts that the service works with, and those of ERC-6093 and Permit2. */
const errorAbi = [
  ...intentErrorAbi,
  ...relayErrorAbi,
  ...parseAbi([
    'error ERC721InvalidOwner(address owner)',
    'error ERC721NonexistentToken(uint256 tokenId)',
    'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
    'error ERC721InvalidSender(address sender)',
    'error ERC721InvalidReceiver(address receiver)',
    'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
    'error ERC721InvalidApprover(address approver)',
    'error ERC721InvalidOperator(address operator)',
    'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
    'error ERC1155InvalidReceiver(address receiver)',
    'error ERC1155MissingApprovalForAll(address operator, address owner)',
    'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
    'error AllowanceExpired(uint256 deadline)',
    'error InsufficientAllowance(uint256 amount)',
    'error SignatureExpired(uint256 signatureDeadline)',
  ]),
]

/**
 * Explains to people why a call would fail: by known errors, then by known signatures, else by the bytes. A
 * contract's text is one line of visible characters.
 *
 * @param failure The call's revert data, and the node's message.
 */
export async function explainFailure(
  signatures: FunctionSignatures,
  { revertData, message }: { revertData: Hex; message: string },
): Promise<string> {
  const raw = await describe(signatures, revertData, message)
  return sanitizeText(raw, MAX_LENGTH).text || 'reverted without a reason'
}

async function describe(signatures: FunctionSignatures, data: Hex, message: string): Promise<string> {
  if (size(data) === 0) return describeMessage(message)
  const unknown = `unknown error ${slice(data, 0, Math.min(size(data), MAX_UNKNOWN_BYTES))}`
  if (size(data) > MAX_DECODED_BYTES) return unknown
  const { name, text } = decodeRevert(data, errorAbi, message)
  if (name === 'Error') return text
  if (name !== null) return `${name}(${text})`
  if (size(data) >= 4) {
    const selector = slice(data, 0, 4).toLowerCase() as Hex
    const candidates = (await signatures.lookup([selector])).get(selector) ?? []
    const best = candidates.filter(({ source }) => source === candidates[0]?.source)
    const fitting = best.flatMap(({ signature }) => decodeBy(signature, data) ?? [])
    const [only, ...others] = fitting
    if (only !== undefined && others.length === 0) return only
  }
  return unknown
}

function describeMessage(message: string): string {
  if (/out of gas/i.test(message)) return 'out of gas'
  if (/insufficient funds|insufficient balance|OutOfFunds/i.test(message)) return 'insufficient funds'
  return 'reverted without a reason'
}

/** Decodes an error with its arguments; null unless encoding them again yields the same bytes. */
function decodeBy(signature: string, data: Hex): string | null {
  try {
    const abi = [
      parseAbiItem(`error ${signature}`) as { type: 'error'; name: string; inputs: AbiParameter[] },
    ]
    const { errorName, args } = decodeErrorResult({ abi, data })
    if (encodeErrorResult({ abi, errorName, args }) !== data.toLowerCase()) return null
    const { text } = decodeRevert(data, abi, '')
    return `${errorName}(${text})`
  } catch {
    return null
  }
}
