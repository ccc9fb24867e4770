// SPDX-License-Identifier: MIT
/**
 * How a payer resolves a name to an address, a fresh one each time. A wallet with a universal resolver does it by itself
 * (`getEnsAddress` of viem); here it is done by hand.
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
import { askService } from '../requests/ask-service.ts'

const resolverAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  // ERC-3668: the gateway to ask, and the contract that verifies the answer's signature.
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])
const addressAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])

export interface NameSource {
  rpcUrl: string
  /** Offchain resolver of the parent name. */
  resolver: Address
  /** The service to ask, instead of the one that the resolver names. */
  url?: string
}

/** Returns the zero address for an unowned name. */
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
