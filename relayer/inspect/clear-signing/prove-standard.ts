import { domainSeparator, isHex, parseAbi, toHex, type Address, type Hex, type PublicClient } from 'viem'
import type { PublicTokens } from '../../market/tokens/tokens.ts'
import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { DescriptorBinding } from './clear-signing.ts'
import { askContract } from './read-contract.ts'

const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function supportsInterface(bytes4) view returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

/** A standard that a contract follows, with its evidence. */
export type ProvenStandard = Pick<DescriptorBinding, 'evidence'> & {
  standard: NonNullable<DescriptorBinding['standard']>
}

interface Contract {
  client: PublicClient
  chainId: number
  address: Address
  tokens: PublicTokens
}

/**
 * Proves the standard that a contract with code follows; null if none is proven. A token must be named by address in
 * the configuration or the token list, and its contract must have the listed decimals. Names and symbols prove
 * nothing.
 *
 * @throws viem's error if the node does not answer.
 */
export function proveStandard(
  kind: 'calldata' | 'eip712',
  contract: Contract,
): Promise<ProvenStandard | null> {
  return kind === 'eip712' ? provePermit(contract) : proveCalls(contract)
}

async function proveCalls(contract: Contract): Promise<ProvenStandard | null> {
  const { tokens, chainId, address } = contract
  if (!tokens.isListed(tokenIdOf(chainId, address))) return proveCollectible(contract)
  const evidence = await proveToken(contract)
  return evidence && { standard: 'erc20', evidence: { kind: 'token_catalog', ...evidence } }
}

/**
 * Proves a collectible by ERC-165. A contract that supports every interface proves nothing, and one with decimals is
 * a fungible token.
 */
async function proveCollectible({ client, address }: Contract): Promise<ProvenStandard | null> {
  const [isCollectible, saysYes, decimals] = await Promise.all([
    askContract(client, address, abi, 'supportsInterface', ['0x80ac58cd']),
    askContract(client, address, abi, 'supportsInterface', ['0xffffffff']),
    askContract(client, address, abi, 'decimals'),
  ])
  if (isCollectible !== true || saysYes !== false || decimals !== null) return null
  return { standard: 'erc721', evidence: { kind: 'erc165', onchainDecimals: null, catalogSources: [] } }
}

async function proveToken({ client, tokens, chainId, address }: Contract) {
  const id = tokenIdOf(chainId, address)
  const token = tokens.isListed(id) ? await tokens.findPublic(id) : null
  if (!token) return null
  const decimals = await askContract(client, address, abi, 'decimals')
  return decimals === token.decimals
    ? { onchainDecimals: token.decimals, catalogSources: [token.metadataSource] }
    : null
}

/** Proves ERC-2612: a signature binds the token only under the contract's own domain. */
async function provePermit(contract: Contract): Promise<ProvenStandard | null> {
  const { client, address } = contract
  const evidence = await proveToken(contract)
  if (!evidence) return null
  const [separator, told, name] = await Promise.all([
    askContract(client, address, abi, 'DOMAIN_SEPARATOR'),
    askContract(client, address, abi, 'eip712Domain'),
    askContract(client, address, abi, 'name'),
  ])
  const domain = readDomain(contract, told as ToldDomain | null, name as string | null)
  if (!isHex(separator) || domain === null || domainSeparator({ domain }) !== separator) return null
  return { standard: 'erc2612', evidence: { kind: 'domain_separator', ...evidence } }
}

type ToldDomain = readonly [Hex, string, string, bigint, Address, Hex, readonly bigint[]]

/** Reads the fields of ERC-5267: the first five bits mark the used ones. Null for another chain or contract. */
function readDomain({ chainId, address }: Contract, told: ToldDomain | null, name: string | null) {
  if (!told) return name === null ? null : { name, version: '1', chainId, verifyingContract: address }
  const [fields, toldName, version, toldChain, verifyingContract, salt] = told
  const has = (bit: number) => (Number(fields) & (1 << bit)) !== 0
  if (!has(2) || !has(3) || toldChain !== BigInt(chainId) || verifyingContract !== address) return null
  return {
    ...(has(0) && { name: toldName }),
    ...(has(1) && { version }),
    chainId,
    verifyingContract,
    ...(has(4) && { salt: toHex(BigInt(salt), { size: 32 }) }),
  }
}
