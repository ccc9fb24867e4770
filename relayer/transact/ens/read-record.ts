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
import { createGatewayReader } from './ask-gateways.ts'
import type { PublicFetch } from './fetch-public.ts'

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
