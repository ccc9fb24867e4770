import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  listDepositStandings,
  readStandingSums,
  findDepositStanding,
  type DepositName,
  type DepositStandingRow,
} from '../../../db/account/balances/pool-deposits.ts'
import { shareReadings } from '../../concurrency/coalesce-runs.ts'
import { createSumWatch } from '../../concurrency/watch-sums.ts'

/** Poll interval in milliseconds while an account is followed: any instance may write reviews and blocks. */
const EVERY_MS = 1_000

/** Standing of one deposit of an account. */
export type DepositStanding = DepositStandingRow

/** Reports to accounts the standing of their deposits with the association set provider. */
export interface PoolReviews {
  /**
   * Yields each deposit whose standing is new, until the signal is aborted. Deposits that a reorg removed are not
   * reported.
   */
  follow(accountId: string, signal: AbortSignal): AsyncGenerator<DepositStandingRow>
  /** Reads how a deposit stands; null for one that is not the account's. */
  find(accountId: string, deposit: DepositName): Promise<DepositStanding | null>
  stop(): void
}

/** Polls the deposits of the followed accounts: one query a second, whatever their number. */
export function createPoolReviews(database: DatabasePool, logger: Logger): PoolReviews {
  const watch = createSumWatch({
    everyMs: EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'deposits of followers could not be read'),
    async readSums(accountIds) {
      const rows = await readStandingSums(database, accountIds)
      return new Map(rows.map(({ accountId, sums }) => [accountId, sums]))
    },
  })
  const share = shareReadings<readonly DepositStandingRow[]>()
  return {
    async *follow(accountId, signal) {
      const told = new Map(
        (await listDepositStandings(database, accountId)).map((row) => [keyOf(row), row.standing]),
      )
      for await (const changedAt of watch.follow(accountId, signal)) {
        const rows = await share(accountId, changedAt, () => listDepositStandings(database, accountId))
        for (const row of rows) {
          if (told.get(keyOf(row)) === row.standing) continue
          told.set(keyOf(row), row.standing)
          yield row
        }
      }
    },
    find: (accountId, deposit) => findDepositStanding(database, accountId, deposit),
    stop: watch.stop,
  }
}

const keyOf = ({ chainId, pool, label }: DepositStandingRow) => `${chainId} ${pool} ${label}`
