import {
  isAddressEqual,
  namehash,
  parseAbi,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Address,
  type Hex,
} from 'viem'
import { z } from 'zod'
import type { Chains } from '../../chain/nodes/chain.ts'
import { isInlineImage } from '../../chain/nodes/config-values.ts'
import type { PublicFetch } from './fetch-public.ts'
import { readAddress, type NameHome } from './read-address.ts'

const textAbi = parseAbi(['function text(bytes32 node, string key) view returns (string)'])
const collectibleAbi = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 tokenId) view returns (string)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function balanceOf(address owner, uint256 tokenId) view returns (uint256)',
])

const MAX_URL = 2_048
/** Most characters of an image inside the record itself. */
const MAX_INLINE = 32_768
const MAX_METADATA = 131_072

const collectible = /^eip155:(\d{1,10})\/(erc721|erc1155):(0x[0-9a-fA-F]{40})\/(\d{1,78})$/
/** RFC 2397, with any parameters: collections write `utf8`, a charset, or none. */
const inlineMetadata = /^data:application\/json((?:;[^,;]{1,64}){0,4}),(.*)$/s
const metadata = z.object({ image: z.string() })

/** Sources for finding an avatar. */
export interface AvatarSources {
  /** The name's records. */
  read: (query: Hex) => Promise<Hex | null>
  name: string
  place: NameHome
  /** Chains of collectibles that serve as avatars. */
  chains: Chains
  fetchPublic: PublicFetch
  /** Base URL for turning ipfs URLs into https ones. */
  ipfsGateway: string
  signal: AbortSignal
}

/**
 * Finds the URL of a name's public picture, or null (ENSIP-12). It is an https URL, a small image inside the
 * record, or an ipfs URL by way of a gateway. For a collectible it is the image in its metadata, if the
 * name's address holds the collectible. Only metadata is fetched here.
 * @throws Error of the node or server that gave no answer.
 */
export async function findAvatar(sources: AvatarSources): Promise<string | null> {
  const { read, name } = sources
  const args = [namehash(name), 'avatar'] as const
  const record = decodeText(await read(encodeFunctionData({ abi: textAbi, functionName: 'text', args })))
  if (!record) return null
  const nft = collectible.exec(record)
  if (!nft) return toImageUrl(record, sources)
  const [, chainId, standard, contract, tokenId] = nft
  return findCollectibleImage(sources, {
    chainId: Number(chainId),
    isSingle: standard === 'erc721',
    contract: getAddress(contract ?? ''),
    tokenId: BigInt(tokenId ?? 0),
  })
}

async function findCollectibleImage(
  { read, name, place, chains, ...sources }: AvatarSources,
  {
    chainId,
    isSingle,
    contract,
    tokenId,
  }: { chainId: number; isSingle: boolean; contract: Address; tokenId: bigint },
): Promise<string | null> {
  const chain = chains.get(chainId)
  const owner = chain && tokenId < 1n << 256n ? await readAddress(read, name, chainId, place) : null
  if (!chain || !owner) return null
  const at = { address: contract, abi: collectibleAbi } as const
  const [isOwned, uri] = await Promise.all([
    isSingle
      ? chain.client
          .readContract({ ...at, functionName: 'ownerOf', args: [tokenId] })
          .then((holder) => isAddressEqual(holder, owner))
      : chain.client
          .readContract({ ...at, functionName: 'balanceOf', args: [owner, tokenId] })
          .then((balance) => balance > 0n),
    chain.client.readContract({ ...at, functionName: isSingle ? 'tokenURI' : 'uri', args: [tokenId] }),
  ])
  if (!isOwned) return null
  const text = await readMetadata(uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0')), sources)
  const parsed = text === null ? null : metadata.safeParse(parseJson(text))
  return parsed?.success ? toImageUrl(parsed.data.image, sources) : null
}

type Fetching = Pick<AvatarSources, 'fetchPublic' | 'ipfsGateway' | 'signal'>

async function readMetadata(
  uri: string,
  { fetchPublic, ipfsGateway, signal }: Fetching,
): Promise<string | null> {
  if (uri.length > MAX_METADATA) return null
  const [, parameters, content] = inlineMetadata.exec(uri) ?? []
  if (content !== undefined) return decodeInline(content, parameters?.endsWith(';base64') ?? false)
  const url = toHttps(uri, ipfsGateway)
  if (!url) return null
  const { status, text } = await fetchPublic({ url, maxBytes: MAX_METADATA, signal })
  return status === 200 ? text : null
}

/** Decodes inline metadata. Bare JSON is returned as it is, because a percent sign in it is a literal one. */
function decodeInline(content: string, isBase64: boolean): string | null {
  if (isBase64) return Buffer.from(content, 'base64').toString()
  if (parseJson(content) !== null) return content
  try {
    return decodeURIComponent(content)
  } catch {
    return null
  }
}

/** Returns a URL that a client may show as it is; null for anything else. */
function toImageUrl(text: string, { ipfsGateway }: Pick<AvatarSources, 'ipfsGateway'>): string | null {
  if (text.length <= MAX_INLINE && isInlineImage(text)) return text
  return toHttps(text, ipfsGateway)
}

function toHttps(text: string, ipfsGateway: string): string | null {
  if (text.length > MAX_URL) return null
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(text)?.[1]
  const url = URL.parse(path === undefined ? text : `${ipfsGateway}/ipfs/${path}`)
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : null
}

function decodeText(data: Hex | null): string | null {
  if (data === null || data === '0x') return null
  try {
    return decodeFunctionResult({ abi: textAbi, functionName: 'text', data })
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
