// SPDX-License-Identifier: MIT
/** A chain on which a wallet looks for its money without the service, by a node that its user names. */
import { createPublicClient, http, type Address, type PublicClient } from 'viem'
import type { BackupChain } from '../account/backup.ts'
import { PINNED_CONTRACTS } from '../chain/pinned-contracts.ts'

export interface RecoveryChain extends BackupChain {
  reader: PublicClient
}

/** Requests that are sent to a node together: more than this, and public ones refuse. */
const BATCH = 50

const PUBLIC_CHAINS: readonly BackupChain[] = [
  { chainId: 1, name: 'Ethereum', nativeSymbol: 'ETH' },
  { chainId: 10, name: 'Optimism', nativeSymbol: 'ETH' },
  { chainId: 8453, name: 'Base', nativeSymbol: 'ETH' },
  { chainId: 42161, name: 'Arbitrum One', nativeSymbol: 'ETH' },
]

/** The chains of a backup, and the public ones. The package's pinned contracts win over the backup's. */
export function listRecoveryChains(ofBackup: readonly BackupChain[]): BackupChain[] {
  const others = PUBLIC_CHAINS.filter(({ chainId }) => !ofBackup.some((chain) => chain.chainId === chainId))
  return [...ofBackup, ...others].map((chain) => ({ ...chain, ...PINNED_CONTRACTS[chain.chainId] }))
}

/**
 * Connects to a node, and asks nothing else of anybody.
 * @param known Chains with their contracts. A chain that is not among them has coins and tokens, and no pools.
 * @throws Error where the node does not answer.
 */
export async function openRecoveryChain(
  rpcUrl: string,
  known: readonly BackupChain[],
): Promise<RecoveryChain> {
  const single = createPublicClient({ transport: http(rpcUrl) })
  const chainId = await single.getChainId()
  const batched = createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: BATCH } }) })
  // Some nodes take one request at a time.
  const takesBatches = await Promise.all([batched.getChainId(), batched.getBlockNumber()]).then(
    () => true,
    () => false,
  )
  const chain = known.find((one) => one.chainId === chainId)
  const { name, nativeSymbol } = chain ?? { name: `Chain ${chainId}`, nativeSymbol: 'coin' }
  return { ...chain, chainId, name, nativeSymbol, reader: takesBatches ? batched : single }
}

/** The tokens of a chain that the wallet knows without asking. */
export const listKnownTokens = ({ wrapped, carried = {} }: BackupChain): Address[] => [
  ...new Set([...(wrapped ? [wrapped] : []), ...Object.values(carried).map(({ token }) => token)]),
]
