import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  deleteLapsedQuotes,
  deleteOldAttempts,
  analyzeGrown,
  foldAccountChanges,
  foldTotals,
} from '../../db/upkeep-tasks.ts'
import type { UpkeepConfig } from './config.ts'

/** Far longer than any transaction of the service; rows of those that still run wait in addition. */
const FOLD_AFTER_MS = 10 * 60_000
/** Pause between two statements, so that requests come first. */
const PAUSE_MS = 200
/** Statements of each sort per round; the rest waits for the next round. */
const PER_ROUND = 50

/**
 * Analyses grown tables, folds old bookings into totals, and deletes expired rows while the service runs. Each
 * statement handles a bounded number of rows. `stop()` waits for the running statement.
 */
export function startUpkeep(
  database: DatabasePool,
  config: UpkeepConfig,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const most = config.batchRows
  const works: readonly (() => Promise<boolean>)[] = [
    async () => (await analyzeGrown(database)) !== null,
    () => foldTotals(database, { most, marginMs: FOLD_AFTER_MS }),
    async () => (await foldAccountChanges(database, most)) === most,
    async () => (await deleteLapsedQuotes(database, { most, days: config.lapsedQuoteDays })) === most,
    async () => (await deleteOldAttempts(database, { most, days: config.attemptDays })) === most,
  ]
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)

  async function runRound(): Promise<void> {
    for (const work of works)
      for (let step = 0; step < PER_ROUND && !stopping.signal.aborted; step += 1) {
        if (!(await work())) break
        await pause(PAUSE_MS)
      }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(config.everyMs)
      if (stopping.signal.aborted) return
      await runRound().catch((error: unknown) =>
        logger.warn({ err: error }, 'old rows could not be folded or deleted; the next round tries again'),
      )
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
