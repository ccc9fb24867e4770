import { describe, expect, it } from 'vitest'
import type { SpentNote } from '../../../../db/pool/book/note-progress.ts'
import { decodeBook, encodeBook, type BookContent } from '../../../../relayer/pool/book/book-content.ts'
import { settleBook } from '../../../../relayer/pool/book/settle-book.ts'

const LABEL = 7n
const DEPOSITS = new Map([[LABEL, 100n]])
const NOW = 1_000
const spend = (id: number, withdrawalIndex: number, value: bigint, withdraws: bigint, until = NOW + 1) => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  until,
  kind: 'incognito_send' as const,
  receives: withdraws,
  fee: 0n,
  isUnlocked: false,
  parts: [
    {
      label: LABEL,
      withdrawalIndex,
      value,
      withdraws,
      spentBy: { nullifierHash: BigInt(id), newCommitment: BigInt(1_000 + id) },
    },
  ],
})
const spentOnChain = (...notes: readonly [hash: bigint, withdrawn: bigint][]) =>
  new Map(
    notes.map(([nullifierHash, withdrawn]): [bigint, SpentNote] => [
      nullifierHash,
      {
        nullifierHash,
        withdrawn,
        newCommitment: 1_000n + nullifierHash,
        txHash: '0x',
        blockNumber: 1n,
        spentAt: new Date(0),
        fee: null,
      },
    ]),
  )
const settle = (content: BookContent, spent = spentOnChain()) =>
  settleBook(content, { deposits: DEPOSITS, spent, now: NOW })

describe('a note book held against the chain', () => {
  it('leaves a deposit alone, and locks its note, until the chain has seen the reported spend', () => {
    const book = settle({ spends: [spend(1, 0, 100n, 40n)], settled: [] })
    expect(book.notes.size).toBe(0)
    expect(book.locked.get(LABEL)?.part.withdraws).toBe(40n)
  })

  it('follows several reported changes in a row, each by the withdrawn amount on the chain', () => {
    const content = { spends: [spend(2, 1, 60n, 10n), spend(1, 0, 100n, 40n)], settled: [] }
    const book = settle(content, spentOnChain([1n, 41n], [2n, 10n]))
    expect(book.notes.get(LABEL)).toEqual({
      label: LABEL,
      withdrawalIndex: 2,
      value: 49n,
      commitment: 1_002n,
      known: 'told',
    })
    expect(book.locked.size).toBe(0)
  })

  it('takes a spend back that a reorg took back', () => {
    const content = { spends: [spend(1, 0, 100n, 40n)], settled: [] }
    expect(settle(content, spentOnChain([1n, 40n])).notes.get(LABEL)?.value).toBe(60n)
    expect(settle(content).notes.size).toBe(0)
  })

  it('frees a note when the time of its spend is over', () => {
    expect(settle({ spends: [spend(1, 0, 100n, 40n, NOW)], settled: [] }).locked.size).toBe(0)
  })

  it('takes a settled note at its word, but never upwards', () => {
    const settled = [{ label: LABEL, withdrawalIndex: 3, value: 30n }]
    expect(settle({ spends: [], settled }).notes.get(LABEL)).toMatchObject({ value: 30n, known: 'settled' })
    const more = [{ label: LABEL, withdrawalIndex: 3, value: 101n }]
    expect(settle({ spends: [], settled: more }).notes.size).toBe(0)
  })

  it('goes on with reported spends behind a settled note', () => {
    const content = {
      spends: [spend(5, 3, 30n, 30n)],
      settled: [{ label: LABEL, withdrawalIndex: 3, value: 30n }],
    }
    expect(settle(content, spentOnChain([5n, 30n])).notes.get(LABEL)).toMatchObject({
      withdrawalIndex: 4,
      value: 0n,
    })
  })

  it('has one size for books of one spend and of ten', () => {
    const bookOf = (count: number) =>
      encodeBook({
        spends: Array.from({ length: count }, (_, id) => spend(id + 1, id, 100n, 1n)),
        settled: [],
      })
    expect(bookOf(1).length).toBe(4_096)
    expect(bookOf(10).length).toBe(4_096)
    expect(decodeBook(bookOf(3)).spends).toHaveLength(3)
  })
})
