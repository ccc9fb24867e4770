import { isAddressEqual } from 'viem'
import { orAborted } from '../../relayer/concurrency/run-contained.ts'
import type { Chain } from '../../relayer/chain/nodes/chain.ts'
import { readRouterWrapped } from '../../relayer/transact/venues/swap/uniswap/read-router-wrapped.ts'
import { ConfigError } from '../config/config-error.ts'

/** A chain that does not answer does not delay the start: its swaps fail in simulation. */
const PATIENCE_MS = 3_000

/**
 * Compares each chain's wrapped coin with the one its router uses, for the chains that answer.
 * @throws ConfigError that names the chain and both addresses where they differ.
 */
export async function demandWrappedCoins(chains: Iterable<Pick<Chain, 'config' | 'client'>>): Promise<void> {
  const wrong = await Promise.all(Array.from(chains, explainMismatch))
  const problems = wrong.filter((problem) => problem !== null)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
}

async function explainMismatch({ config, client }: Pick<Chain, 'config' | 'client'>): Promise<string | null> {
  const { chainId, wrappedNative, venues } = config
  const router = venues.uniswap?.router
  if (!router || !wrappedNative) return null
  const known = await orAborted(readRouterWrapped(client, router), AbortSignal.timeout(PATIENCE_MS)).catch(
    () => null,
  )
  if (known === null || isAddressEqual(known, wrappedNative)) return null
  return (
    `chains: ${chainId} names ${wrappedNative} as wrappedNative, but venues.uniswap.router (${router}) works with ${known}. ` +
    'Coins would be swapped into a token that the router does not unwrap: correct the one that is wrong.'
  )
}
