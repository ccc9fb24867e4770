import type { Client } from 'stealth-relay/client'
import { createPoolView, readPool, type PoolView } from 'stealth-relay/client/pool'
import type { Address } from 'viem'
import { findChain } from '../read-settings.ts'
import { createChainReader } from './chain-reader.ts'

const opened = new WeakMap<Client, Map<string, Promise<PoolView>>>()

/**
 * The pool of a token. It is read once for a session; later readings ask only for the news.
 * @throws Error where the page knows no Entrypoint of the chain, or the token has no pool.
 */
export function openPool(client: Client, chainId: number, token: Address): Promise<PoolView> {
  const pools = opened.get(client) ?? new Map<string, Promise<PoolView>>()
  opened.set(client, pools)
  const key = `${chainId} ${token}`
  const known = pools.get(key)
  if (known) return known
  const opening = open(client, chainId, token)
  pools.set(key, opening)
  // A failure is not cached: the next call tries again.
  opening.catch(() => pools.delete(key))
  return opening
}

async function open(client: Client, chainId: number, token: Address): Promise<PoolView> {
  const entrypoint = findChain(chainId)?.entrypoint
  if (!entrypoint) throw new Error(`no pools are known on chain ${chainId}`)
  const reader = createChainReader(chainId)
  return createPoolView(client, await readPool(reader, { chainId, entrypoint, token }), reader)
}
