import { isAddressEqual } from 'viem'
import type { Logger } from 'pino'
import type { Chain } from '../../relayer/chain/nodes/chain.ts'
import type { RelayingConfig } from '../../relayer/chain/nodes/config.ts'
import { orAborted } from '../../relayer/concurrency/run-contained.ts'
import { findUnsafeSettings } from '../admin/doctor/check-settings.ts'
import { ConfigError } from '../config/config-error.ts'
import { listMarks } from '../../relayer/chain/nodes/list-marks.ts'
import type { ServiceConfig } from '../config/config.ts'
import { readRouterWrapped } from '../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'

// Settings of several districts that must fit together.

/**
 * Warns of settings that publicly link relays to the account payments of one service. A withdrawal then hides only
 * among the deposits of the service's accounts.
 * @param feeReceivers Receivers of fees for sending, by chain id, where they differ from the relayer's.
 */
export function warnOfMarks(
  chains: ReadonlyMap<number, { chain: { config: RelayingConfig }; feeReceiver: string }>,
  feeReceivers: Readonly<Record<string, string>>,
  logger: Logger,
): void {
  for (const [chainId, { chain, feeReceiver }] of chains) {
    const receivers = { relays: feeReceiver, sends: feeReceivers[chainId] ?? feeReceiver }
    const marks = listMarks(chain.config, receivers)
    if (marks.includes('signers')) logger.warn({ chainId }, 'the same signers send relays and sends')
    if (marks.includes('fees')) logger.warn({ chainId }, 'fees of relays and of sends go to one address')
  }
}

/** Warns of settings that work, but not well in production. */
export function warnOfUnsafeSettings(config: ServiceConfig, logger: Logger): void {
  for (const { found, change } of findUnsafeSettings(config))
    logger.warn({ found, change }, 'an unsafe setting')
}

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

/** @throws ConfigError for a collection on an unserved chain. */
export function demandServedCollections({ collectibles = [], chains }: ServiceConfig): void {
  const served = new Set(chains.map(({ chainId }) => chainId))
  const other = collectibles.find(({ chainId }) => !served.has(chainId))
  if (other) throw new ConfigError(`collectibles: chain ${other.chainId} is not among chains`)
}
