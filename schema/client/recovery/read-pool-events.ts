// SPDX-License-Identifier: MIT
/** Finds the notes of a pool by the chain alone (PROTOCOL.md, section 10). All events are read, so that no question names a note. */
import { isAddressEqual, type Address } from 'viem'
import { poolEventsAbi } from '../chain/abis.ts'
import { findNotes, type FoundNote } from '../pool/find-notes.ts'
import { depositPrecommitment, type MasterSecrets } from '../pool/note-secrets.ts'
import type { ToldNote } from '../pool/pool-state.ts'
import type { KnownPool } from '../pool/read-pool.ts'
import type { OwnAddress } from './own-address.ts'
import type { RecoveryChain } from './recovery-chain.ts'
import { searchLogs } from './search-logs.ts'

/** At least so many unused indices end the search: an honest service leaves no greater gap. */
const LEAST_GAP = 10

/** A note that its depositor can take back. */
export interface NoteHolding {
  kind: 'note'
  chainId: number
  /** The depositor: the only address that can take it back in the open. */
  owner: OwnAddress
  pool: KnownPool
  symbol: string
  decimals: number
  note: FoundNote
  /** In the smallest unit of the pool's token. */
  amount: bigint
}

/**
 * Finds the notes that are neither spent nor taken back.
 * @returns With the depositor of each.
 */
export async function findPoolNotes(
  { reader }: RecoveryChain,
  pool: KnownPool,
  master: MasterSecrets,
  options: { since: bigint; gap: number; report?: (done: number) => void },
): Promise<{ note: FoundNote; depositor: Address }[]> {
  const logs = await searchLogs(
    reader,
    (range) => reader.getLogs({ address: pool.pool, events: poolEventsAbi, strict: true, ...range }),
    options,
  )
  const deposits = new Map<bigint, Deposit>()
  const spent = new Map<bigint, { withdrawnValue: bigint; newCommitment: bigint }>()
  const recovered = new Set<bigint>()
  const leaves: bigint[] = []
  for (const log of logs) {
    if (log.eventName === 'Deposited') {
      const { _depositor, _commitment, _label, _value, _precommitmentHash } = log.args
      const deposit = { depositor: _depositor, commitment: _commitment, label: _label, value: _value }
      deposits.set(_precommitmentHash, deposit)
      leaves.push(_commitment)
    } else if (log.eventName === 'Withdrawn') {
      const { _value, _spentNullifier, _newCommitment } = log.args
      spent.set(_spentNullifier, { withdrawnValue: _value, newCommitment: _newCommitment })
      leaves.push(_newCommitment)
    } else recovered.add(log.args._label)
  }
  const scope = BigInt(pool.scope)
  const own = listOwnDeposits(deposits, { master, scope, gap: options.gap })
  const { notes } = findNotes(master, scope, {
    leaves,
    aspLeaves: [],
    spent,
    recovered,
    notes: own.map(describeAsTold),
    nextDepositIndex: own.length,
  })
  return notes.flatMap((note) => {
    const deposit = own.find(({ label }) => label === note.label)
    return deposit ? [{ note, depositor: deposit.depositor }] : []
  })
}

interface Deposit {
  depositor: Address
  commitment: bigint
  label: bigint
  value: bigint
}

/** Tries the indices of deposits one after the other. */
function listOwnDeposits(
  deposits: ReadonlyMap<bigint, Deposit>,
  { master, scope, gap }: { master: MasterSecrets; scope: bigint; gap: number },
) {
  const own: (Deposit & { depositIndex: number })[] = []
  for (let depositIndex = 0, misses = 0; misses < Math.max(gap, LEAST_GAP); depositIndex += 1) {
    const deposit = deposits.get(depositPrecommitment(master, scope, BigInt(depositIndex)))
    misses = deposit ? 0 : misses + 1
    if (deposit) own.push({ ...deposit, depositIndex })
  }
  return own
}

const describeAsTold = (deposit: Deposit & { depositIndex: number }): ToldNote => ({
  id: String(deposit.label),
  depositIndex: deposit.depositIndex,
  withdrawalIndex: 0,
  commitment: deposit.commitment,
  label: deposit.label,
  value: deposit.value,
  aspStatus: 'pending',
})

/** The own address that made a deposit; undefined where another copied it from the mempool. */
export const findDepositor = (owners: readonly OwnAddress[], depositor: Address): OwnAddress | undefined =>
  owners.find(({ address }) => isAddressEqual(address, depositor))
