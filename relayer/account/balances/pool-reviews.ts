import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  listDepositStandings,
  readStandingSums,
  type DepositStandingRow,
} from '../../../db/account/balances/pool-deposits.ts'

/** How often it is looked while somebody follows: reviews and blocks are written by whichever instance. Milliseconds. */
const EVERY_MS = 1_000

/** Tells accounts how their deposits stand with the association set provider. */
export interface PoolReviews {
  /** Yields each deposit whose standing is new, from now on until the signal is aborted. What a reorg took away is not told. */
  follow(accountId: string, signal: AbortSignal): AsyncGenerator<DepositStandingRow>
  stop(): void
}

/** Looks at the deposits of the accounts that are followed: one query a second, whatever their number. */
export function createPoolReviews(database: DatabasePool, logger: Logger): PoolReviews {
  const followers = new Map<string, Set<() => void>>()
  const sums = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const rows = await readStandingSums(database, [...followers.keys()])
    const now = new Map(rows.map((row) => [row.accountId, row.sums]))
    for (const [accountId, wakes] of followers) {
      const sum = now.get(accountId) ?? ''
      const isNew = sums.get(accountId) !== sum
      sums.set(accountId, sum)
      if (isNew) for (const wake of wakes) wake()
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void look()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'deposits of followers could not be looked at'),
        )
        .finally(() => (followers.size > 0 ? schedule() : (timer = undefined)))
    }, EVERY_MS)
    timer.unref()
  }

  function add(accountId: string, wake: () => void): void {
    followers.set(accountId, (followers.get(accountId) ?? new Set()).add(wake))
    // Whoever is new is woken by the next look, and so misses nothing of the time before it.
    sums.delete(accountId)
    if (!timer) schedule()
  }

  function remove(accountId: string, wake: () => void): void {
    const those = followers.get(accountId)
    those?.delete(wake)
    if (those?.size !== 0) return
    followers.delete(accountId)
    sums.delete(accountId)
  }

  return {
    async *follow(accountId, signal) {
      const told = new Map(
        (await listDepositStandings(database, accountId)).map((row) => [keyOf(row), row.standing]),
      )
      let hasChanged = false
      let proceed = () => {}
      const wake = () => {
        hasChanged = true
        proceed()
      }
      add(accountId, wake)
      const onAbort = () => proceed()
      signal.addEventListener('abort', onAbort)
      try {
        while (!signal.aborted) {
          if (!hasChanged) {
            await new Promise<void>((resolve) => {
              proceed = resolve
              if (hasChanged || signal.aborted) resolve()
            })
            continue
          }
          hasChanged = false
          for (const row of await listDepositStandings(database, accountId)) {
            if (told.get(keyOf(row)) === row.standing) continue
            told.set(keyOf(row), row.standing)
            yield row
          }
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        remove(accountId, wake)
      }
    },
    stop: () => clearTimeout(timer),
  }
}

const keyOf = ({ chainId, pool, label }: DepositStandingRow) => `${chainId} ${pool} ${label}`
