import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { SubmissionWorld, TestQuote } from './start-submission-world.ts'

/** Progress of a submission as seen from outside. */
export const STAGES = ['started', 'queued', 'batched', 'signed', 'sent', 'mined', 'settled'] as const
export type Stage = (typeof STAGES)[number]

const REACHED = {
  started: sql.fragment`true`,
  queued: sql.fragment`exists (select from intent)`,
  batched: sql.fragment`status in ('batched', 'succeeded')`,
  signed: sql.fragment`exists (
    select from intent_batch join outbound_tx on outbound_tx.id = outbound_id
    where intent_batch.id = batch_id and signer is not null)`,
  sent: sql.fragment`exists (
    select from intent_batch join outbound_tx on outbound_tx.id = outbound_id
    where intent_batch.id = batch_id and outbound_tx.status not in ('queued', 'signed'))`,
  mined: sql.fragment`exists (
    select from intent_batch join outbound_tx on outbound_tx.id = outbound_id
    where intent_batch.id = batch_id and mined_hash is not null)`,
  settled: sql.fragment`status = 'succeeded'`,
}

/**
 * Submits quotes to a service in its own process. Kills it by SIGKILL the given milliseconds after one quote has
 * reached that stage.
 */
export async function killAt(
  world: SubmissionWorld,
  quotes: readonly TestQuote[],
  stage: Stage,
  { extraMs = 0, config = {} }: { extraMs?: number; config?: object } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'submissions-'))
  try {
    const file = join(folder, 'submissions.json')
    await writeFile(file, JSON.stringify(quotes.map(({ wire }) => wire)))
    const program = join(import.meta.dirname, 'submission-process.ts')
    const settings = JSON.stringify(world.settingsOf({ chain: { confirmations: 1 }, config }))
    const child = spawn(process.execPath, [program, settings, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    const ids = sql.array(
      quotes.map(({ quoteId }) => quoteId),
      'uuid',
    )
    const hasReached = () =>
      world.pool.oneFirst(sql.type(z.object({ reached: z.boolean() }))`
        select exists (select from intent where quote_id = any(${ids}) and ${REACHED[stage]}) as reached`)
    if (stage !== 'started') while (!(await hasReached()) && child.exitCode === null) await sleep(2)
    await sleep(extraMs)
    expect(child.exitCode).toBe(null)
    child.kill('SIGKILL')
    await ended
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
