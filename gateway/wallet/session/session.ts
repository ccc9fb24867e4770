import { createContext, use } from 'react'
import { openClient, type Client, type WalletKeys } from 'stealth-relay/client'
import type { Client as Graph } from 'urql'
import { SETTINGS } from '../read-settings.ts'
import { createGraph } from './create-graph.ts'

/** An open wallet. It lives in memory: a reload locks it. */
export interface Session {
  client: Client
  graph: Graph
  keys: WalletKeys
  opensBy: 'passkey' | 'pin'
}

/** Signs in, and creates the account where there is none. @throws Errors of the client package. */
export async function openWalletSession(keys: WalletKeys, opensBy: Session['opensBy']): Promise<Session> {
  const client = await openClient({
    url: location.origin,
    ...keys,
    chains: SETTINGS.chains,
    domain: location.host,
    keyAccessMethod: opensBy === 'passkey' ? 'passkey_prf' : 'wallet_pin',
  })
  return { client, graph: createGraph(client), keys, opensBy }
}

export const SessionContext = createContext<Session | null>(null)

/** The open wallet. @throws Error outside of one. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('no wallet is open here')
  return session
}
