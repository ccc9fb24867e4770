import type { AssetChange } from '../../simulate-job.ts'
import type { Hex } from '../provider.ts'

/** Native value that moved and was not reverted. */
export interface NativeTransfer {
  from: Hex
  to: Hex
  value: bigint
}

/** The native coins that a transaction moved. */
export interface NativeMoves {
  transfers: readonly NativeTransfer[]
  /** Beneficiary of each contract that destroyed itself. */
  selfdestructs: ReadonlyMap<string, string>
}

const toChange = ({ from, to, value }: NativeTransfer): AssetChange => ({
  type: 'native',
  token: null,
  from,
  to,
  tokenId: null,
  amount: value,
})

/** Balances of the native coin before and after, of every account that was written. */
export type NativeBalances = ReadonlyMap<string, { before: bigint; after: bigint }>

/**
 * Returns the movements of the native coin, and whether they explain every balance. The coins that a contract leaves when it
 * destroys itself move without a call. They are the part of its balance that the calls do not explain.
 */
export function checkNative(
  { transfers, selfdestructs }: NativeMoves,
  balances: NativeBalances,
): { changes: AssetChange[]; complete: boolean } {
  const unexplained = new Map<string, bigint>()
  const add = (address: string, amount: bigint) =>
    unexplained.set(address, (unexplained.get(address) ?? 0n) + amount)
  for (const [address, { before, after }] of balances) add(address, after - before)
  const changes = transfers.map(toChange)
  for (const { from, to, value } of transfers) {
    add(from, value)
    add(to, -value)
  }
  for (const [contract, beneficiary] of selfdestructs) {
    const left = -(unexplained.get(contract) ?? 0n)
    if (left <= 0n || beneficiary === contract) continue
    changes.push(toChange({ from: contract as Hex, to: beneficiary as Hex, value: left }))
    add(contract, left)
    add(beneficiary, -left)
  }
  return { changes, complete: [...unexplained.values()].every((amount) => amount === 0n) }
}
