import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKeptNotes, type KeptNote } from '../../bench/relayer/kept-notes.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

const [first, second] = [`0x${'Aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const [vector] = loadRelayVectors().relays

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-notes-'))
})
afterEach(() => rm(folder, { recursive: true }))

const noteOf = (pool: KeptNote['pool'], label: bigint): KeptNote => ({
  pool,
  note: { nullifier: 1n, secret: 2n, value: 3n, label },
})

test('the next run finds the notes and proofs of each pool again', async () => {
  if (!vector) throw new Error('there are no vectors')
  const { proof, publicSignals } = vector
  const proven = { leaves: 7, recipient: first, data: vector.withdrawal.data, proof, publicSignals }
  const kept = await openKeptNotes(join(folder, 'new'))
  expect(kept.of(first)).toEqual([])
  await kept.keep(first, [{ ...noteOf(first, 5n), proven }, noteOf(first, 6n)])
  await kept.keep(second, [noteOf(second, 7n)])
  const again = await openKeptNotes(join(folder, 'new'))
  expect(again.of(first.toLowerCase() as typeof first)).toEqual(kept.of(first))
  expect(again.of(first)[0]?.proven).toEqual(proven)
  await again.keep(first, [])
  const last = await openKeptNotes(join(folder, 'new'))
  expect([last.of(first), last.of(second)]).toEqual([[], [noteOf(second, 7n)]])
})

test('the file of notes is readable by its owner alone', async () => {
  await (await openKeptNotes(folder)).keep(first, [noteOf(first, 5n)])
  expect((await stat(join(folder, 'prepared-notes.json'))).mode & 0o077).toBe(0)
})

test('a file in another format is ignored', async () => {
  await writeFile(join(folder, 'prepared-notes.json'), '[{"pool":"0x"}]')
  expect((await openKeptNotes(folder)).of(first)).toEqual([])
})
