/**
 * How an account gets a name, and how anybody who knows the name finds an address to pay at: a fresh one each time. A
 * wallet with a universal resolver does the second by itself (`getEnsAddress` of viem); here it is done by hand.
 */
import {
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  http,
  namehash,
  parseAbi,
  toHex,
  type Address,
} from 'viem'
import { packetToBytes } from 'viem/ens'
import { askService, type Client } from './client.ts'

const resolverAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  // ERC-3668: where to ask, and whom to bring the answer to, for it to check who signed it.
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])
const addressAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])

/** @returns The name as it is kept, below the service's parent name. @throws Error where it is taken or blocked. */
export async function claimName(client: Client, name: string): Promise<string> {
  const path = `/v1/accounts/${client.accountId}/subdomain`
  return (await client.ask<{ subdomain: string }>('POST', path, { subdomain: name })).subdomain
}

export interface NameSource {
  rpcUrl: string
  /** Offchain resolver of the parent name. */
  resolver: Address
  /** The service to ask, instead of the one that the resolver names. */
  url?: string
}

/** The zero address where nobody has the name. */
export async function resolveName({ rpcUrl, resolver, url }: NameSource, name: string): Promise<Address> {
  const reader = createPublicClient({
    transport: http(rpcUrl),
    ...(url && {
      ccipRead: {
        request: async ({ sender, data }) =>
          (await askService<{ data: `0x${string}` }>(url, 'GET', `/ccip/${sender}/${data}.json`)).data,
      },
    }),
  })
  const question = encodeFunctionData({ abi: addressAbi, args: [namehash(name)] })
  const answer = await reader.readContract({
    address: resolver,
    abi: resolverAbi,
    functionName: 'resolve',
    args: [toHex(packetToBytes(name)), question],
  })
  return decodeFunctionResult({ abi: addressAbi, data: answer })
}
