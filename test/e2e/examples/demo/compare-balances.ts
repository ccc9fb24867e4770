import { erc20Abi, getAddress, isAddressEqual, zeroAddress, type Address, type PublicClient } from 'viem'
import { followAccount } from '../../../../schema/client/account/follow-account.ts'
import type { Client } from '../../../../schema/client/account/open-client.ts'
import { DemoError } from './demo-error.ts'

const PATIENCE_MS = 60_000

/** `Balance` of the GraphQL API, as far as the stories show it. */
export interface BalanceEntry {
  tokenAddress: Address
  tokenSymbol: string
  decimals: number
  /** In the smallest unit. */
  available: string
  pending: string
  /** Null without a price. */
  usdAmount: string | null
}

const BALANCES = `query ($chainId: SafeInt!) { viewer { account { balances(chainId: $chainId) {
  nodes { tokenAddress tokenSymbol decimals available pending usdAmount }
} } } }`
const ADDRESSES = '{ viewer { account { addresses(first: 500) { nodes { address } } } } }'

interface OfAccount<Shown> {
  viewer: { account: Shown }
}

export async function readBalances(client: Client, chainId: number): Promise<readonly BalanceEntry[]> {
  type Balances = OfAccount<{ balances: { nodes: BalanceEntry[] } }>
  return (await client.graphql<Balances>(BALANCES, { chainId })).viewer.account.balances.nodes
}

/** Reads from the chain itself the holdings of a token of all addresses of the account. */
export async function readChain(client: Client, reader: PublicClient, token: Address): Promise<bigint> {
  const { viewer } =
    await client.graphql<OfAccount<{ addresses: { nodes: { address: Address }[] } }>>(ADDRESSES)
  const held = await Promise.all(
    viewer.account.addresses.nodes.map(({ address }) =>
      isAddressEqual(token, zeroAddress)
        ? reader.getBalance({ address })
        : reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    ),
  )
  return held.reduce((sum, amount) => sum + amount, 0n)
}

/**
 * Waits until the account's balances of these tokens are the chain's, to the wei, and nothing is pending any more.
 * @throws DemoError where they stay different.
 */
export async function waitUntilEqual(
  client: Client,
  chain: { chainId: number; reader: PublicClient },
  tokens: readonly Address[],
): Promise<readonly BalanceEntry[]> {
  const onChain = await Promise.all(tokens.map((token) => readChain(client, chain.reader, getAddress(token))))
  let told: readonly (BalanceEntry | undefined)[] = []
  for await (const entries of followBalances(client, chain.chainId)) {
    told = tokens.map((token) => entries.find(({ tokenAddress }) => isAddressEqual(tokenAddress, token)))
    if (told.every((entry, place) => isSettled(entry, onChain[place] ?? 0n))) return entries
  }
  throw new DemoError(
    `The service says ${JSON.stringify(told)} and the chain ${onChain.join(', ')}. Is it still indexing? See ${client.url}/`,
  )
}

/** The balances on a chain now, and after each of their changes, for as long as patience lasts. */
async function* followBalances(client: Client, chainId: number): AsyncGenerator<readonly BalanceEntry[]> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    for await (const event of followAccount(client, patience))
      // The first event, and the one after a gap that the service no longer knows.
      if (
        event.type === 'ResyncRequired' ||
        (event.type === 'BalanceChanged' && event.balance.chainId === chainId)
      )
        yield await readBalances(client, chainId)
  } catch (error) {
    if (!patience.aborted) throw error
  }
}

const isSettled = (entry: BalanceEntry | undefined, onChain: bigint) =>
  entry ? BigInt(entry.available) === onChain && entry.pending === '0' : onChain === 0n
