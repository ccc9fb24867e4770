import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, getAddress, isAddressEqual, zeroAddress, type Address, type PublicClient } from 'viem'
import type { Client } from '../../../../schema/client/account/open-client.ts'
import { DemoError } from './demo-error.ts'

/** The service allows 60 such calls a minute. */
const POLL_MS = 1_100
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
  const deadline = performance.now() + PATIENCE_MS
  // The stories also need what the service derives after a balance: the origin of the money, and the review.
  for (;;) {
    const entries = await readBalances(client, chain.chainId)
    const told = tokens.map((token) =>
      entries.find(({ tokenAddress }) => isAddressEqual(tokenAddress, token)),
    )
    if (told.every((entry, place) => isSettled(entry, onChain[place] ?? 0n))) return entries
    if (performance.now() > deadline)
      throw new DemoError(
        `The service says ${JSON.stringify(told)} and the chain ${onChain.join(', ')}. Is it still indexing? ` +
          `See ${client.url}/`,
      )
    await sleep(POLL_MS)
  }
}

const isSettled = (entry: BalanceEntry | undefined, onChain: bigint) =>
  entry ? BigInt(entry.available) === onChain && entry.pending === '0' : onChain === 0n
