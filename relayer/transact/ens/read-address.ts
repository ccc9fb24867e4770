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
} from 'viem'

const abi = parseAbi(['function addr(bytes32 node) view returns (address)'])
const coinAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])

/** Chain ids above have no coin type (ENSIP-11). */
const MAX_CHAIN_ID = 0x7fff_ffff
const MAINNET = 1

/**
 * Reads the address of a name on a chain: the one set for that chain (ENSIP-11), else the one for Ethereum (coin type
 * 60). Null where there is none.
 */
export async function readAddress(
  read: (query: Hex) => Promise<Hex | null>,
  name: string,
  chainId: number,
): Promise<Address | null> {
  const node = namehash(name)
  if (chainId !== MAINNET && chainId <= MAX_CHAIN_ID) {
    const coinType = BigInt((0x8000_0000 | chainId) >>> 0)
    const query = encodeFunctionData({ abi: coinAbi, functionName: 'addr', args: [node, coinType] })
    const special = decodeBytes(await read(query))
    if (special) return special
  }
  return decodeAddress(await read(encodeFunctionData({ abi, functionName: 'addr', args: [node] })))
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
