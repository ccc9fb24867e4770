import {
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  namehash,
  parseAbi,
  size,
  zeroAddress,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'

const abi = parseAbi(['function addr(bytes32 node) view returns (address)'])
const coinAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])

/** Highest chain id that has a coin type (ENSIP-11). */
const MAX_CHAIN_ID = 0x7fff_ffff
/** Bit that marks coin types of EVM chains; alone it stands for the address on all of them (ENSIP-19). */
const EVM_BIT = 0x8000_0000n
const MAINNET = 1
/** Code of an account that delegates to a contract (EIP-7702): its key owns the address on every chain. */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/i

/** The chain that a name is registered on. */
export interface NameHome {
  chainId: number
  client: PublicClient
}

/**
 * Reads the address of a name on a chain: the record for that chain (ENSIP-11), else the one for all EVM
 * chains (ENSIP-19). Failing both, it is the address for Ethereum (coin type 60), unless a contract is there.
 * A contract may have another owner, or no code, on another chain. Null if no record applies.
 * @throws Error of the node when it is unknown whether a contract is there.
 */
export async function readAddress(
  read: (query: Hex) => Promise<Hex | null>,
  name: string,
  chainId: number,
  home: NameHome,
): Promise<Address | null> {
  const node = namehash(name)
  const readCoin = async (coinType: bigint) =>
    decodeBytes(
      await read(encodeFunctionData({ abi: coinAbi, functionName: 'addr', args: [node, coinType] })),
    )
  const readEther = async () =>
    decodeAddress(await read(encodeFunctionData({ abi, functionName: 'addr', args: [node] })))

  if (chainId === MAINNET) return (await readEther()) ?? (await readCoin(EVM_BIT))
  const special = chainId <= MAX_CHAIN_ID ? await readCoin(EVM_BIT | BigInt(chainId)) : null
  const set = special ?? (await readCoin(EVM_BIT))
  if (set) return set
  const ether = await readEther()
  if (!ether || chainId === home.chainId) return ether
  const code = await home.client.getCode({ address: ether, blockTag: 'latest' })
  return code === undefined || code === '0x' || DELEGATED.test(code) ? ether : null
}

const orNull = (address: Address) => (address === zeroAddress ? null : getAddress(address))

function decodeBytes(data: Hex | null): Address | null {
  if (data === null || data === '0x') return null
  try {
    const bytes = decodeFunctionResult({ abi: coinAbi, functionName: 'addr', data })
    return size(bytes) === 20 ? orNull(bytes) : null
  } catch {
    return null
  }
}

function decodeAddress(data: Hex | null): Address | null {
  if (data === null || data === '0x') return null
  try {
    return orNull(decodeFunctionResult({ abi, functionName: 'addr', data }))
  } catch {
    return null
  }
}
