import {
  decodeAbiParameters,
  encodeAbiParameters,
  parseAbiParameters,
  type Address,
  type Hex,
  type PublicClient,
  hexToBigInt,
  hexToBytes,
  size,
  slice,
} from 'viem'
import { MAX_DECIMALS } from './load-token-list.ts'

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
  chain: { client: PublicClient },
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
  chain: { client: PublicClient },
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
  { client }: { client: PublicClient },
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

/** contracts/TokenMetadata.sol, compiled by solc 0.8.30 for the EVM of Paris; a test compiles it again. */
export const TOKEN_METADATA_CODE: Hex = `0x${[
  '608060405234801561001057600080fd5b506040516104a83803806104a883398101604081905261002f916102a6565b6000',
  '82516001600160401b0381111561004a5761004a610274565b6040519080825280602002602001820160405280156100af57',
  '816020015b61009c6040518060a0016040528060001515815260200160608152602001606081526020016060815260200160',
  '6081525090565b8152602001906001900390816100685790505b50905060005b8351811015610203578381815181106100d0',
  '576100d061037f565b60200260200101516001600160a01b03163b600003156101fb576040518060a0016040528060011515',
  '81526020016101318684815181106101135761011361037f565b602002602001015163313ce56760e01b8760206102306020',
  '1b60201c565b815260200161016986848151811061014b5761014b61037f565b60200260200101516395d89b4160e01b8760',
  'a061023060201b60201c565b81526020016101a28684815181106101835761018361037f565b60200260200101516306fdde',
  '0360e01b8761010061023060201b60201c565b81526020016101da8684815181106101bc576101bc61037f565b6020026020',
  '0101516318160ddd60e01b87602061023060201b60201c565b8152508282815181106101ef576101ef61037f565b60200260',
  '200101819052505b6001016100b5565b5060008160405160200161021791906103db565b6040516020818303038152906040',
  '529050805160208201f35b604051600084815280806004818988fa1561025257503d828111156102525750815b8082528060',
  '00602084013e601f01601f19168101602001604052949350505050565b634e487b7160e01b600052604160045260246000fd',
  '5b80516001600160a01b03811681146102a157600080fd5b919050565b600080604083850312156102b957600080fd5b8251',
  '6001600160401b038111156102cf57600080fd5b8301601f810185136102e057600080fd5b80516001600160401b03811115',
  '6102f9576102f9610274565b604051600582901b90603f8201601f191681016001600160401b038111828210171561032757',
  '610327610274565b60405291825260208184018101929081018884111561034557600080fd5b6020850194505b8385101561',
  '036b5761035d8561028a565b81526020948501940161034c565b506020969096015195979596505050505050565b634e487b',
  '7160e01b600052603260045260246000fd5b6000815180845260005b818110156103bb576020818501810151868301820152',
  '0161039f565b506000602082860101526020601f19601f83011685010191505092915050565b600060208201602083528084',
  '5180835260408501915060408160051b86010192506020860160005b8281101561049b57603f198786030184528151805115',
  '158652602081015160a0602088015261043560a0880182610395565b90506040820151878203604089015261044e82826103',
  '95565b915050606082015187820360608901526104688282610395565b915050608082015191508681036080880152610484',
  '8183610395565b965050506020938401939190910190600101610403565b5092969550505050505056fe',
].join('')}`
