import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, getAddress, isAddressEqual, zeroAddress, type Address, type PublicClient } from 'viem'
import type { Client } from '../../../../schema/client/account/open-client.ts'
import { DemoError } from './demo-error.ts'

/** The service allows 60 such calls a minute. */
const POLL_MS = 1_100
const PATIENCE_MS = 60_000

/** One entry of `GET /v1/accounts/{accountId}/balance`. */
export interface BalanceEntry {
  chainId: number
  token: Address
  tokenSymbol: string
  decimals: number
  visible: { available: string; pending: string }
  usdAmount: number | null
}

export async function readBalances(client: Client, chainId: number): Promise<BalanceEntry[]> {
  const path = `/v1/accounts/${client.accountId}/balance/${chainId}`
  return (await client.ask<{ balances: BalanceEntry[] }>('GET', path)).balances
}

/** Reads from the chain itself the holdings of a token of all addresses of the account. */
export async function readChain(client: Client, reader: PublicClient, token: Address): Promise<bigint> {
  const { items } = await client.ask<{ items: { address: Address }[] }>(
    'GET',
    `/v1/accounts/${client.accountId}/addresses`,
  )
  const held = await Promise.all(
    items.map(({ address }) =>
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
): Promise<BalanceEntry[]> {
  const onChain = await Promise.all(tokens.map((token) => readChain(client, chain.reader, getAddress(token))))
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const entries = await readBalances(client, chain.chainId)
    const told = tokens.map((token) => entries.find((entry) => isAddressEqual(entry.token, token))?.visible)
    if (told.every((visible, place) => isSettled(visible, onChain[place] ?? 0n))) return entries
    if (performance.now() > deadline)
      throw new DemoError(
        `The service says ${JSON.stringify(told)} and the chain ${onChain.join(', ')}. Is it still indexing? ` +
          `See ${client.url}/`,
      )
    await sleep(POLL_MS)
  }
}

const isSettled = (visible: BalanceEntry['visible'] | undefined, onChain: bigint) =>
  visible ? BigInt(visible.available) === onChain && visible.pending === '0' : onChain === 0n
