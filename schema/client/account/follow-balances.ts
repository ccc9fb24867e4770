// SPDX-License-Identifier: MIT
/**
 * How a client hears of payments while they come in: a GraphQL subscription over server-sent events.
 */
import type { Address } from 'viem'
import type { Client } from './open-client.ts'

export interface BalanceChange {
  chainId: number
  balance: {
    balances: {
      tokenAddress: Address
      tokenSymbol: string
      decimals: number
      available: string
      pending: string
    }[]
  }
}

const QUERY = `subscription Balances($accountId: ID!) {
  balanceChanged(accountId: $accountId) {
    chainId
    balance { balances { id tokenAddress tokenSymbol decimals available pending } }
  }
}`

/**
 * The account's balances on a chain each time something moves there, until the signal is aborted. A cut stream is
 * connected again.
 * @throws StreamRefusal where the service refuses.
 */
export async function* followBalances(client: Client, signal: AbortSignal): AsyncGenerator<BalanceChange> {
  const variables = { accountId: client.accountId }
  const changes = client.follow<{ balanceChanged: BalanceChange }>(QUERY, variables, signal)
  for await (const { balanceChanged } of changes) yield balanceChanged
}
