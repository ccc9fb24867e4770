import { beforeAll, describe, expect, it } from 'vitest'
import { commitmentOf, type Note } from '../../schema/client/pool/note.ts'
import { findNotes, chooseNote } from '../../schema/client/pool/find-notes.ts'
import { hashNullifier } from '../devnet/note-hashes.ts'
import {
  changeSecrets,
  depositSecrets,
  deriveMasterSecrets,
  type MasterSecrets,
} from '../../schema/client/pool/note-secrets.ts'
import type { PoolState, ToldNote } from '../../schema/client/pool/pool-state.ts'

const SCOPE = 77n
const WORDS = 'holiday trim neck mystery meat explain box middle sure empty stock guard'
let master: MasterSecrets
beforeAll(() => {
  master = deriveMasterSecrets(WORDS)
})

/** A pool in which the wallet deposits by any index and spends; the service knows of its deposits alone. */
function createPool() {
  const spent = new Map<bigint, { withdrawnValue: bigint; newCommitment: bigint }>()
  const state: PoolState & { spent: typeof spent; recovered: Set<bigint> } = {
    leaves: [5n],
    aspLeaves: [],
    spent,
    recovered: new Set(),
    notes: [],
    nextDepositIndex: 0,
    crowd: [],
  }
  return {
    state,
    deposit(depositIndex: number, value: bigint, told: Partial<ToldNote> = {}): Note {
      const label = 1_000n + BigInt(state.leaves.length)
      const note = { ...depositSecrets(master, SCOPE, BigInt(depositIndex)), label, value }
      const commitment = commitmentOf(note)
      state.leaves.push(commitment)
      state.aspLeaves.push(label)
      state.notes.push({
        id: String(label),
        depositIndex,
        withdrawalIndex: 0,
        commitment,
        label,
        value,
        aspStatus: 'approved',
        ...told,
      })
      if (told.depositIndex !== null)
        state.nextDepositIndex = Math.max(state.nextDepositIndex, depositIndex + 1)
      return note
    },
    spend(note: Note, withdrawnValue: bigint, withdrawalIndex: number, keys = master): Note {
      const change = {
        ...changeSecrets(keys, note.label, BigInt(withdrawalIndex)),
        label: note.label,
        value: note.value - withdrawnValue,
      }
      const newCommitment = commitmentOf(change)
      state.leaves.push(newCommitment)
      spent.set(hashNullifier(note.nullifier), { withdrawnValue, newCommitment })
      return change
    },
  }
}

describe('a wallet with nothing but its keys and the answer of pool/state', () => {
  it('finds its notes behind three unreported changes in a row', () => {
    const pool = createPool()
    const first = pool.deposit(0, 100n)
    const third = pool.spend(pool.spend(pool.spend(first, 10n, 1), 20n, 2), 30n, 3)
    const other = pool.deposit(1, 7n)
    const empty = pool.deposit(2, 9n)
    pool.spend(empty, 9n, 1)
    const { notes, unopened } = findNotes(master, SCOPE, pool.state)
    expect(unopened).toEqual([])
    expect(notes).toMatchObject([
      { ...third, value: 40n, withdrawalIndex: 3, depositIndex: 0, isApproved: true },
      { ...other, withdrawalIndex: 0, depositIndex: 1 },
    ])
    expect(notes).toHaveLength(2)
    expect(chooseNote(notes, 8n).value).toBe(40n)
    expect(chooseNote(notes, 7n).value).toBe(7n)
    expect(() => chooseNote(notes, 41n)).toThrow('no approved note is worth 41')
  })

  it('goes on from a change that the service knows', () => {
    const pool = createPool()
    const change = pool.spend(pool.deposit(0, 100n), 10n, 1)
    pool.state.notes = pool.state.notes.map((note) => ({
      ...note,
      id: `${note.id}-1`,
      withdrawalIndex: 1,
      value: 90n,
      commitment: commitmentOf(change),
    }))
    const last = pool.spend(change, 40n, 2)
    expect(findNotes(master, SCOPE, pool.state).notes).toMatchObject([{ ...last, withdrawalIndex: 2 }])
  })

  it('finds deposits that were made elsewhere, ten unused indices on and no further', () => {
    const pool = createPool()
    pool.deposit(2, 1n)
    const near = pool.deposit(12, 2n, { depositIndex: null })
    pool.deposit(13, 3n, { depositIndex: null, id: 'far' })
    const { notes, unopened } = findNotes(master, SCOPE, pool.state)
    expect(notes.map(({ value, depositIndex }) => [value, depositIndex])).toEqual([
      [1n, 2],
      [near.value, 12],
    ])
    expect(unopened).toEqual(['far'])
  })

  it('believes nothing of the service that its keys and the leaves do not confirm', () => {
    const pool = createPool()
    pool.deposit(0, 100n, { value: 1_000_000n, id: 'richer' })
    pool.deposit(1, 100n, { depositIndex: 0, id: 'other index' })
    pool.deposit(2, 100n, { label: 4n, id: 'other label' })
    pool.deposit(3, 100n)
    pool.state.leaves.pop()
    expect(findNotes(master, SCOPE, pool.state)).toEqual({
      notes: [],
      emptied: [],
      unopened: ['richer', 'other index', 'other label'],
    })
  })

  it('does not spend declined or recovered notes, nor notes spent to the keys of somebody else', () => {
    const pool = createPool()
    const declined = pool.deposit(0, 1n, { aspStatus: 'declined' })
    pool.state.aspLeaves.pop()
    const recovered = pool.deposit(1, 2n)
    pool.state.recovered.add(recovered.label)
    const stolen = pool.deposit(2, 3n)
    pool.spend(stolen, 1n, 1, { masterNullifier: 1n, masterSecret: 2n })
    const { notes } = findNotes(master, SCOPE, pool.state)
    expect(notes).toMatchObject([{ ...declined, aspStatus: 'declined', isApproved: false }])
    expect(() => chooseNote(notes, 1n)).toThrow('no approved note')
  })
})
