// SPDX-License-Identifier: MIT
import { erc20Abi, isAddressEqual, numberToHex, padHex, zeroAddress, type Address, type Hex } from 'viem'
import type { OwnAddress } from './own-address.ts'
import { listKnownTokens, type RecoveryChain } from './recovery-chain.ts'
import { searchLogs } from './search-logs.ts'

/** The coin of one address on one chain, in its smallest unit. */
export interface CoinHolding {
  kind: 'coin'
  chainId: number
  owner: OwnAddress
  amount: bigint
}

/** A token (ERC-20) at one address. */
export interface TokenHolding {
  kind: 'token'
  chainId: number
  owner: OwnAddress
  token: Address
  /** As the contract says it: it may imitate another. */
  symbol: string
  decimals: number
  amount: bigint
  /** The token comes with the package or the backup. Anybody can send other tokens, to lure. */
  isKnown: boolean
}

/** A collectible (ERC-721) at one address. */
export interface CollectibleHolding {
  kind: 'collectible'
  chainId: number
  owner: OwnAddress
  contract: Address
  tokenId: bigint
}

/** `Transfer(address,address,uint256)`, of tokens and of collectibles. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Addresses in one question for logs. */
const ADDRESSES = 500

const ownerOfAbi = [
  {
    name: 'ownerOf',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'uint256', name: 'tokenId' }],
    outputs: [{ type: 'address' }],
  },
] as const

/** Reads the coins, and whether the addresses have ever sent anything. */
export async function readCoins(
  { chainId, reader }: RecoveryChain,
  owners: readonly OwnAddress[],
): Promise<{ coins: CoinHolding[]; used: OwnAddress[] }> {
  const facts = await Promise.all(
    owners.map(async (owner) => {
      const { address } = owner
      const [amount, sent] = await Promise.all([
        reader.getBalance({ address }),
        reader.getTransactionCount({ address }),
      ])
      return { owner, amount, sent }
    }),
  )
  return {
    coins: facts
      .filter(({ amount }) => amount > 0n)
      .map(({ owner, amount }) => ({ kind: 'coin', chainId, owner, amount })),
    used: facts.filter(({ amount, sent }) => amount > 0n || sent > 0).map(({ owner }) => owner),
  }
}

/** Something that has arrived at an address: a token, or a collectible with its id. */
export interface Arrival {
  contract: Address
  owner: OwnAddress
  tokenId: bigint | null
}

/** Finds by the chain's logs what tokens and collectibles have ever arrived. */
export async function findArrivals(
  { reader }: RecoveryChain,
  owners: readonly OwnAddress[],
  options: { since: bigint; report?: (done: number) => void },
): Promise<Arrival[]> {
  const byTopic = new Map(owners.map((owner) => [padHex(owner.address).toLowerCase(), owner]))
  const topics = [...byTopic.keys()] as Hex[]
  const logs = await searchLogs(
    reader,
    async ({ fromBlock, toBlock }) => {
      const parts = Array.from({ length: Math.ceil(topics.length / ADDRESSES) }, (_, part) =>
        reader.request({
          method: 'eth_getLogs',
          params: [
            {
              fromBlock: numberToHex(fromBlock),
              toBlock: numberToHex(toBlock),
              topics: [TRANSFER, null, topics.slice(part * ADDRESSES, (part + 1) * ADDRESSES)],
            },
          ],
        }),
      )
      return (await Promise.all(parts)).flat()
    },
    options,
  )
  const arrivals = new Map<string, Arrival>()
  for (const {
    address,
    topics: [, , to, id],
  } of logs) {
    const owner = byTopic.get(to?.toLowerCase() ?? '')
    if (owner)
      arrivals.set(`${address} ${to} ${id}`, { contract: address, owner, tokenId: id ? BigInt(id) : null })
  }
  return [...arrivals.values()]
}

/** Reads the balances of the tokens that the wallet knows, at all addresses. */
export async function readKnownTokens(
  chain: RecoveryChain,
  owners: readonly OwnAddress[],
): Promise<TokenHolding[]> {
  const pairs = listKnownTokens(chain).flatMap((token) =>
    owners.map((owner) => ({ contract: token, owner, tokenId: null })),
  )
  return readTokens(chain, pairs)
}

/** Reads what of the arrivals is still there. Contracts that do not answer as tokens are left out. */
export async function readTokens(
  chain: RecoveryChain,
  arrivals: readonly Arrival[],
): Promise<TokenHolding[]> {
  const { chainId, reader } = chain
  const known = listKnownTokens(chain)
  const read = await Promise.all(
    arrivals
      .filter(({ tokenId }) => tokenId === null)
      .map(async ({ contract, owner }) => {
        const token = { address: contract, abi: erc20Abi } as const
        const balance = reader.readContract({ ...token, functionName: 'balanceOf', args: [owner.address] })
        return { contract, owner, amount: await balance.catch(() => 0n) }
      }),
  )
  const held = read.filter(({ amount }) => amount > 0n)
  const units = new Map<Address, Unit | null>()
  for (const contract of new Set(held.map((one) => one.contract)))
    units.set(contract, await readUnit(chain, contract).catch(() => null))
  return held.flatMap(({ contract, owner, amount }) => {
    const unit = units.get(contract)
    if (!unit) return []
    const isKnown = known.some((token) => isAddressEqual(token, contract))
    return [{ kind: 'token', chainId, owner, token: contract, amount, isKnown, ...unit }]
  })
}

/** How a token's amounts are written. */
export interface Unit {
  symbol: string
  decimals: number
}

/** Reads it from the contract. @param token The zero address is the coin. @throws Error for contracts that are no tokens. */
export async function readUnit({ reader, nativeSymbol }: RecoveryChain, token: Address): Promise<Unit> {
  if (isAddressEqual(token, zeroAddress)) return { symbol: nativeSymbol, decimals: 18 }
  const contract = { address: token, abi: erc20Abi } as const
  const [symbol, decimals] = await Promise.all([
    reader.readContract({ ...contract, functionName: 'symbol' }).catch(() => ''),
    reader.readContract({ ...contract, functionName: 'decimals' }),
  ])
  return { symbol: symbol.slice(0, 20), decimals }
}

/** Reads which of the collectibles that have arrived are still there. */
export async function readCollectibles(
  { chainId, reader }: RecoveryChain,
  arrivals: readonly Arrival[],
): Promise<CollectibleHolding[]> {
  const read = await Promise.all(
    arrivals.map(async ({ contract, owner, tokenId }) => {
      if (tokenId === null) return []
      const asked = { address: contract, abi: ownerOfAbi, functionName: 'ownerOf', args: [tokenId] } as const
      const holder = await reader.readContract(asked).catch(() => null)
      if (holder === null || !isAddressEqual(holder, owner.address)) return []
      return [{ kind: 'collectible', chainId, owner, contract, tokenId } as const]
    }),
  )
  return read.flat()
}
