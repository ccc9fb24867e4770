import {
  BaseError,
  createPublicClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  ExecutionRevertedError,
  namehash,
  parseAbi,
  RawContractError,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { packetToBytes } from 'viem/ens'
import { type PublicFetch, FetchRefusedError } from './fetch-public.ts'
import { z } from 'zod'

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)'])
const resolverAbi = parseAbi([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function resolve(bytes name, bytes data) view returns (bytes)',
])
/** Interface id of IExtendedResolver (ENSIP-10), which resolves names below its own. */
const EXTENDED = '0x9061b923'

/** Chain and registry for looking up names. */
export interface NameService {
  chainId: number
  client: PublicClient
  registry: Address
  fetchPublic: PublicFetch
}

/**
 * Creates a reader for the records of one normalized name. It finds the nearest resolver up the name's parents once. A
 * resolver of the name itself is called directly; one of a parent by its wildcard (ENSIP-10). Offchain lookups are
 * followed (ERC-3668).
 *
 * @returns A function from the resolver's calldata to its answer, null without such a record; null itself when the name
 * has no resolver.
 * @throws Error of the node or the gateway that gave no answer.
 */
export async function openRecords(
  { client, registry, fetchPublic }: NameService,
  name: string,
  signal: AbortSignal,
): Promise<((query: Hex) => Promise<Hex | null>) | null> {
  const found = await findResolver(client, registry, name)
  if (!found) return null
  const { resolver, isExact } = found
  const request = createGatewayReader(fetchPublic, signal)
  // The chain's own client follows no offchain lookups; this one does, through our fetch.
  const reader = createPublicClient({
    ...(client.chain && { chain: client.chain }),
    transport: custom({ request: client.request as never }, { retryCount: 0 }),
    ccipRead: { request: ({ data, sender, urls }) => request({ data, sender, urls }) },
  })
  const call = async (data: Hex) => {
    try {
      return (await reader.call({ to: resolver, data })).data ?? null
    } catch (error) {
      if (isRevert(error)) return null
      throw error
    }
  }

  const supports = await call(
    encodeFunctionData({ abi: resolverAbi, functionName: 'supportsInterface', args: [EXTENDED] }),
  )
  if (supports === null || BigInt(supports) !== 1n) return isExact ? call : null
  return async (query) => {
    const args = [toHex(packetToBytes(name)), query] as const
    const answer = await call(encodeFunctionData({ abi: resolverAbi, functionName: 'resolve', args }))
    return answer && decodeOrNull(answer)
  }
}

/** Finds the resolver of the name or of its nearest parent that has one, in one round trip. */
async function findResolver(
  client: PublicClient,
  registry: Address,
  name: string,
): Promise<{ resolver: Address; isExact: boolean } | null> {
  const labels = name.split('.')
  const resolvers = await Promise.all(
    labels.map((_, index) =>
      client.readContract({
        address: registry,
        abi: registryAbi,
        functionName: 'resolver',
        args: [namehash(labels.slice(index).join('.'))],
      }),
    ),
  )
  const index = resolvers.findIndex((resolver) => resolver !== zeroAddress)
  const resolver = resolvers[index]
  return resolver ? { resolver, isExact: index === 0 } : null
}

/** True if the contract itself reverted, as opposed to a failure of the node or a gateway. */
function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  // viem does not export this class.
  if (error.walk((cause) => cause instanceof Error && cause.name === 'OffchainLookupError')) return false
  return (
    error.walk((cause) => cause instanceof ExecutionRevertedError || cause instanceof RawContractError) !==
    null
  )
}

function decodeOrNull(data: Hex): Hex | null {
  try {
    return decodeFunctionResult({ abi: resolverAbi, functionName: 'resolve', data })
  } catch {
    return null
  }
}

/** Most gateways that are tried for one lookup. */
const MAX_GATEWAYS = 4
/** Most lookups for one name. The contract's answer to one may request the next (ERC-3668 allows 4). */
const MAX_LOOKUPS = 4
const MAX_BYTES = 131_072

const answer = z.object({ data: z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/) })

/** An offchain lookup that a contract requests: the arguments of its OffchainLookup (ERC-3668). */
interface OffchainRequest {
  data: Hex
  sender: Address
  urls: readonly string[]
}

/**
 * Creates a reader that asks the gateways of one resolution (ERC-3668). `{sender}` and `{data}` are replaced;
 * without `{data}` both are sent by POST. A status of 400 to 499 is final; after any other failure the next
 * gateway is asked. Create one reader per resolution, because it counts requests.
 *
 * @throws Error when no gateway has an answer, or when a name asks for more requests than it may.
 */
function createGatewayReader(
  fetchPublic: PublicFetch,
  signal: AbortSignal,
): (request: OffchainRequest) => Promise<Hex> {
  let lookups = 0
  return async ({ data, sender, urls }) => {
    lookups += 1
    if (lookups > MAX_LOOKUPS) throw new FetchRefusedError('refused: the name asks for too many lookups')
    let failure: unknown = new FetchRefusedError('the name has no gateway')
    for (const template of urls.slice(0, MAX_GATEWAYS)) {
      const isGet = template.includes('{data}')
      const url = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', data)
      let got
      try {
        const request = { url, maxBytes: MAX_BYTES, signal }
        got = await fetchPublic(isGet ? request : { ...request, body: { data, sender } })
      } catch (error) {
        signal.throwIfAborted()
        failure = error
        continue
      }
      if (got.status >= 400 && got.status < 500)
        throw new Error(`a gateway refused the name with status ${got.status}`)
      const read = got.status === 200 ? answer.safeParse(parseJson(got.text)) : null
      if (read?.success) return read.data.data as Hex
      failure = new Error(`a gateway answered with status ${got.status} and nothing that we can read`)
    }
    throw failure
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
