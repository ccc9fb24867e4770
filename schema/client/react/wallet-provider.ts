// SPDX-License-Identifier: MIT
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { createContext, createElement, useContext, useEffect, type ReactNode } from 'react'
import { followAccount, type AccountEvent } from '../account/follow-account.ts'
import type { AccountInput, Client } from '../account/open-client.ts'
import type { OperationName } from '../requests/call-operation.ts'

const WalletContext = createContext<Client | null>(null)

/** The wallet of the nearest `WalletProvider`. @throws Error outside of one. */
export function useWallet(): Client {
  const client = useContext(WalletContext)
  if (!client) throw new Error('no WalletProvider is above this component')
  return client
}

/**
 * Gives its children the wallet, and keeps their answers fresh by the account's events. Stands below a QueryClientProvider.
 * `onRefusal` receives the error with which the service ends the stream; a cut stream is connected again.
 */
export function WalletProvider({
  client,
  onRefusal,
  children,
}: {
  client: Client
  onRefusal?: (error: unknown) => void
  children?: ReactNode
}) {
  const cache = useQueryClient()
  useEffect(() => {
    const leave = new AbortController()
    keepFresh(client, cache, leave.signal).catch((error: unknown) => {
      if (!leave.signal.aborted) onRefusal?.(error)
    })
    return () => leave.abort()
    // Another function is no reason for another stream.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, cache])
  return createElement(WalletContext.Provider, { value: client }, children)
}

/** The place of an operation's answer in the cache: `invalidateQueries({ queryKey: keyOf(client, name) })` reads it again. */
export const keyOf = <Name extends OperationName>(client: Client, name: Name, input?: AccountInput<Name>) => [
  'stealth-relay',
  client.accountId,
  name,
  ...(input === undefined ? [] : [input]),
]

const MONEY: OperationName[] = [
  'accountBalance',
  'accountChainBalance',
  'accountTokenBalance',
  'fundedAddresses',
]
const LISTS: OperationName[] = ['accountActivities', 'pendingActivities']
const NOTES: OperationName[] = ['poolCommitments', 'poolState']
const REVIEW: OperationName[] = ['depositReview', 'depositReviewSummary']

/** The answers that an event makes outdated; events of all other types outdate every answer. */
const OUTDATED: { readonly [Type in AccountEvent['type']]?: readonly OperationName[] } = {
  BalanceChanged: [...MONEY, ...REVIEW],
  ActivityChanged: [...LISTS, ...NOTES],
  ActivityRemoved: LISTS,
  QuoteChanged: [...LISTS, ...MONEY],
  RelayProgress: LISTS,
  ReviewChanged: REVIEW,
  DepositReviewed: [...MONEY, ...NOTES, ...REVIEW],
}

/** Events come in groups: one pause for all of them, in milliseconds, saves requests. */
const PAUSE_MS = 200

async function keepFresh(client: Client, cache: QueryClient, signal: AbortSignal): Promise<void> {
  const account = keyOf(client, 'account').slice(0, 2)
  let outdated = new Set<unknown>()
  for await (const { type } of followAccount(client, signal)) {
    if (outdated.size === 0) setTimeout(readAgain, PAUSE_MS)
    for (const name of OUTDATED[type] ?? [null]) outdated.add(name)
  }

  function readAgain() {
    const names = outdated
    outdated = new Set()
    const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      names.has(null) || names.has(queryKey[account.length])
    void cache.invalidateQueries({ queryKey: account, predicate })
  }
}
