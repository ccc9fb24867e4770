import { getAddress, type Address } from 'viem'
import type { DappCallRow } from '../../db/transact/dapp-calls.ts'
import type { IndexedTxRow } from '../../db/chain/indexer/rows.ts'
import type { AppRegistry } from '../account/apps/app-registry.ts'
import type { ActivityApp, ActivityCall } from './activity.ts'

/** Returns the app's calls in a quote of an account. */
export type AppCallOf = (quoteId: string) => DappCallRow | undefined

/** Describes the app that requested a quote; null without one. @param payer The address that sent it. */
export function describeApp(
  call: DappCallRow | undefined,
  payer: string | undefined,
  apps: AppRegistry,
): ActivityApp | null {
  if (!call) return null
  const { origin, iconUrl, verified } = apps.describe(call.origin)
  return {
    origin,
    iconUrl,
    verified,
    description: call.description,
    connectedAddress: payer === undefined ? null : getAddress(payer),
    isAccountSetup: call.setsUp,
  }
}

/** Describes the calls of an app's quote, or the one call of a transaction that an address of the account sent itself. */
export function describeCalls(
  call: DappCallRow | undefined,
  tx: IndexedTxRow | null,
): readonly ActivityCall[] | null {
  if (call)
    return call.calls.map(({ to, value, data }) => ({ to: to as Address, value: BigInt(value), data }))
  if (!tx || tx.to === null || tx.input === null) return null
  return [{ to: getAddress(tx.to), value: tx.value, data: tx.input }]
}
