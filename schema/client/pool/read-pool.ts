// SPDX-License-Identifier: MIT
// A client's own knowledge of a pool: it asks the chain, starting from the Entrypoint that it was built with.
import { entrypointAbi, poolAbi } from '../chain/abis.ts'
import { isAddressEqual, zeroAddress, type Address, type PublicClient } from 'viem'

const NATIVE_ASSET = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/** A pool accepts proofs for this many of its last roots. */
const KEPT_ROOTS = 64

/** The part of viem's public client that reads pools. */
export type ContractReader = Pick<PublicClient, 'readContract'>

export interface KnownPool {
  chainId: number
  /** As accounts name it: the zero address is the native coin. */
  token: Address
  /** As the pools name it: 0xEeee… is the native coin. */
  asset: Address
  entrypoint: Address
  pool: Address
  /** In decimal digits. */
  scope: string
  /** The Entrypoint's share of a deposit, in basis points. */
  vettingFeeBps: bigint
  /** The least that is taken from an address for a deposit. */
  minDeposit: bigint
}

/** @throws Error where the token has no pool. */
export async function readPool(
  reader: ContractReader,
  { chainId, entrypoint, token }: Pick<KnownPool, 'chainId' | 'entrypoint' | 'token'>,
): Promise<KnownPool> {
  const asset = isAddressEqual(token, zeroAddress) ? NATIVE_ASSET : token
  const config = { address: entrypoint, abi: entrypointAbi, functionName: 'assetConfig' } as const
  const [pool, minDeposit, vettingFeeBps] = await reader.readContract({ ...config, args: [asset] })
  if (isAddressEqual(pool, zeroAddress)) throw new Error(`there is no pool of ${token}`)
  const scope = await reader.readContract({ address: pool, abi: poolAbi, functionName: 'SCOPE' })
  return { chainId, token, asset, entrypoint, pool, scope: String(scope), vettingFeeBps, minDeposit }
}

/** Whether this root of the state tree is among those that the pool accepts. */
export async function isRootOfPool(
  reader: ContractReader,
  { pool }: KnownPool,
  root: bigint,
): Promise<boolean> {
  const contract = { address: pool, abi: poolAbi } as const
  if ((await reader.readContract({ ...contract, functionName: 'currentRoot' })) === root) return true
  const kept = await Promise.all(
    Array.from({ length: KEPT_ROOTS }, (_, index) =>
      reader.readContract({ ...contract, functionName: 'roots', args: [BigInt(index)] }),
    ),
  )
  return kept.includes(root)
}

/** The root of the association set: the Entrypoint accepts proofs for no other. */
export const readAspRoot = (reader: ContractReader, { entrypoint }: KnownPool): Promise<bigint> =>
  reader.readContract({ address: entrypoint, abi: entrypointAbi, functionName: 'latestRoot' })
