import {
  decodeAbiParameters,
  encodeAbiParameters,
  parseAbiParameters,
  type Address,
  type Hex,
  hexToBigInt,
  hexToBytes,
  size,
  slice,
} from 'viem'
import type { Chain } from '../../chain/nodes/chain.ts'
import { MAX_DECIMALS } from './load-token-list.ts'
import { TOKEN_METADATA_CODE } from './token-metadata-code.ts'

/** A contract's metadata; the texts are not sanitised yet. */
export interface ContractMetadata {
  address: Address
  symbol: string
  name: string
  decimals: number
  /** Smallest units; null if the contract does not report it. */
  totalSupply: bigint | null
}

/** Answers return as code, limited to 24,576 bytes by the chain; a token needs at most 800. */
const TOKENS_PER_CALL = 20
/** A proxy's name() takes about 10,000; an honest token never takes ten times that. */
const GAS_PER_QUESTION = 100_000n

const input = parseAbiParameters('address[] tokens, uint256 gasEach')
const output = parseAbiParameters([
  'Answer[] answers',
  'struct Answer { bool hasCode; bytes decimals; bytes symbol; bytes name; bytes totalSupply; }',
])

/**
 * Reads the ERC-20 metadata of many contracts in one eth_call that bounds the gas and the bytes of each. An address
 * without code, without decimals, or with too many decimals is no token: null. Symbol and name may be missing. Tokens
 * beyond the time limit are undefined, so that thousands of tokens cannot block an account's own.
 *
 * @throws Error if no node of the chain answers in time.
 */
export async function readMetadata(
  chain: Pick<Chain, 'client'>,
  addresses: readonly Address[],
  timeoutMs: number,
): Promise<(ContractMetadata | null | undefined)[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  const batches = Array.from({ length: Math.ceil(addresses.length / TOKENS_PER_CALL) }, (_, index) =>
    addresses.slice(index * TOKENS_PER_CALL, (index + 1) * TOKENS_PER_CALL),
  )
  const read: (ContractMetadata | null)[] = []
  for (const batch of batches) {
    try {
      read.push(...(await orAborted(readBatch(chain, batch), signal)))
    } catch (error) {
      if (read.length === 0) throw error
      break
    }
  }
  return addresses.map((_, index) => read[index])
}

async function readBatch(
  chain: Pick<Chain, 'client'>,
  batch: readonly Address[],
): Promise<(ContractMetadata | null)[]> {
  try {
    return await ask(chain, batch)
  } catch (error) {
    // On a node with a low gas limit, one token that burns its share must not hide the others.
    if (batch.length === 1) throw error
    return (await Promise.all(batch.map((address) => ask(chain, [address])))).flat()
  }
}

async function ask(
  { client }: Pick<Chain, 'client'>,
  batch: readonly Address[],
): Promise<(ContractMetadata | null)[]> {
  const asked = encodeAbiParameters(input, [batch, GAS_PER_QUESTION])
  const { data } = await client.call({ data: `${TOKEN_METADATA_CODE}${asked.slice(2)}` })
  const [answers] = decodeAbiParameters(output, data ?? '0x')
  if (answers.length !== batch.length)
    throw new Error('a node answered for other tokens than it was asked for')
  return answers.map((answer, index) => toMetadata(batch[index] as Address, answer))
}

function toMetadata(
  address: Address,
  answer: { hasCode: boolean; decimals: Hex; symbol: Hex; name: Hex; totalSupply: Hex },
): ContractMetadata | null {
  const decimals = decodeTokenNumber(answer.decimals)
  if (!answer.hasCode || decimals === null || decimals > BigInt(MAX_DECIMALS)) return null
  return {
    address,
    decimals: Number(decimals),
    symbol: decodeTokenText(answer.symbol) ?? '',
    name: decodeTokenText(answer.name) ?? '',
    totalSupply: decodeTokenNumber(answer.totalSupply),
  }
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/**
 * Decodes the possibly truncated answer of a token's symbol() or name(). It is a string by the ABI, or the bytes32 of
 * older tokens. Invalid UTF-8 becomes U+FFFD. Null if it is neither.
 */
function decodeTokenText(data: Hex): string | null {
  const length = size(data)
  if (length === 32) return toText(trimZeros(hexToBytes(data)))
  if (length < 64) return null
  const offset = hexToBigInt(slice(data, 0, 32))
  if (offset > BigInt(length - 32)) return null
  const start = Number(offset) + 32
  const declared = hexToBigInt(slice(data, Number(offset), start))
  const available = BigInt(length - start)
  const taken = Number(declared < available ? declared : available)
  return taken === 0 ? '' : toText(hexToBytes(slice(data, start, start + taken)))
}

/** Decodes the number from decimals() or totalSupply(); null if the answer is shorter than a word. */
function decodeTokenNumber(data: Hex): bigint | null {
  return size(data) < 32 ? null : hexToBigInt(slice(data, 0, 32))
}

function trimZeros(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

const toText = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
