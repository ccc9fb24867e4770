import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Address, Hex } from 'viem'
import type { RelayBody } from '../../test/harness/relay-requests.ts'

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value))
const amount = z.string().regex(/^\d+$/).transform(BigInt)
const keptNote = z.object({
  pool: hex,
  note: z.object({ nullifier: amount, secret: amount, value: amount, label: amount }),
  /** Its withdrawal, once proven. */
  proven: z
    .object({
      /** Leaves of the state tree that the proof was made from: a pool remembers the roots of its newest 64. */
      leaves: z.int(),
      recipient: hex,
      data: hex,
      proof: z.custom<RelayBody['proof']>((value) => typeof value === 'object' && value !== null),
      publicSignals: z.array(z.string()),
    })
    .optional(),
})

/** A deposit of a devnet that was not withdrawn yet, as far as known. */
export type KeptNote = z.output<typeof keptNote>

/** Deposits that outlive a run, because making them and their proofs takes 5 seconds each. */
export interface KeptNotes {
  of(pool: Address): KeptNote[]
  /** Replaces all stored notes of a pool by these, and writes all to disk. */
  keep(pool: Address, notes: readonly KeptNote[]): Promise<void>
}

/** Reads the stored notes of a folder; none if the file is missing or unreadable. */
export async function openKeptNotes(folder: string): Promise<KeptNotes> {
  const file = join(folder, 'prepared-notes.json')
  const text = await readFile(file, 'utf8').catch(() => '[]')
  const read = z.array(keptNote).safeParse(JSON.parse(text))
  let kept = read.success ? read.data : []
  const isOf = (pool: Address) => (note: KeptNote) => note.pool.toLowerCase() === pool.toLowerCase()
  return {
    of: (pool) => kept.filter(isOf(pool)),
    async keep(pool, notes) {
      kept = [...kept.filter((note) => !isOf(pool)(note)), ...notes]
      await mkdir(folder, { recursive: true })
      const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
      await writeFile(`${file}.tmp`, JSON.stringify(kept, asText), { mode: 0o600 })
      await rename(`${file}.tmp`, file)
    },
  }
}
