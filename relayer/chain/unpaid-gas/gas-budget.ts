import type { Logger } from 'pino'
import type { CommonQueryMethods, DatabasePool } from 'slonik'
import {
  insertGasAtRisk,
  listLosses,
  lockGasBudget,
  purgeUnpaidGas,
  sumUnpaidGas,
  type GasAtRisk,
  type GasShare,
  type UnpaidGasRow,
} from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { excessOf, mostOf, NO_GAS, partUsed, secondsUntilRoom, type GasByShare } from './budget-rules.ts'
import { createBudgetAlarm } from './budget-alarm.ts'
import { gasBudgetUsedUp } from '../errors.ts'

const REFRESH_MS = 2_000
const PURGE_EVERY_MS = 60_000
/** What is under way ends with a final block. */
const RETRY_SECONDS = 15

/** A chain's unpaid gas as it was last read. */
export interface UnpaidGas {
  /** Gas an hour. */
  budget: bigint
  /** Within the last hour. */
  lost: GasByShare
  /** What transactions under way may cost and not bring, at most. */
  atRisk: GasByShare
  /** Refused since start, by share, in this instance. */
  refused: Readonly<Record<GasShare, number>>
}

/** The gas that the service may lose in an hour to recipients that make transactions fail, by chain. */
export interface GasBudget {
  /**
   * Counts a transaction to a contract that is being accepted, in the database transaction that accepts it; take it last,
   * for others wait. @throws ServiceError `unavailable` GAS_BUDGET_USED_UP, with the time after which there may be room again.
   */
  take(transaction: CommonQueryMethods, risk: GasAtRisk): Promise<void>
  /**
   * Refuses early when the losses leave no room for this much gas. For contracts it skips the query while the last
   * read was far from the limit. For the share `plain` it always queries and nothing is taken: if all plain
   * recipients under way counted as lost, the first one that burns gas would block the others.
   *
   * @throws ServiceError as {@link take}.
   */
  demandRoom(chainId: number, share: GasShare, gas: bigint): Promise<void>
  /**
   * Whether gas was lost recently at recipients without code; transactions that call such recipients must then leave
   * room too.
   */
  countsPlain(chainId: number): boolean
  /** Gas that one transaction of a share may have: more never fits, however long its sender waits. */
  mostOf(chainId: number, share: GasShare): bigint
  view(chainId: number): UnpaidGas
  start(): Promise<void>
  stop(): Promise<void>
}

/** What the gas budget is built from. */
export interface GasBudgetParts {
  database: DatabasePool
  /** Gas an hour, by chain. */
  budgets: ReadonlyMap<number, bigint>
  logger: Logger
}

/**
 * Creates the budget of unpaid gas of all chains, over rows that all instances share. It holds no connection;
 * `start()` begins the rounds that read the sums for the metrics, log alarms and delete losses that no longer
 * count.
 */
export function createGasBudget({ database, budgets, logger }: GasBudgetParts): GasBudget {
  const chainIds = [...budgets.keys()]
  const alarm = createBudgetAlarm(logger)
  const refused = new Map(chainIds.map((id) => [id, { relay: 0, new: 0, proven: 0, plain: 0 }]))
  /** Chains where a request was refused since the last round. */
  const usedUpSince = new Set<number>()
  let rows: readonly UnpaidGasRow[] = []
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let purgedAt = -Infinity
  let stopped = false

  const budgetOf = (chainId: number) => budgets.get(chainId) ?? 0n

  function view(chainId: number): UnpaidGas {
    const { lost, used } = readShares(rows, chainId)
    const atRisk = { ...used }
    for (const share of SHARES) atRisk[share] -= lost[share]
    return { budget: budgetOf(chainId), lost, atRisk, refused: { ...NONE, ...refused.get(chainId) } }
  }

  async function refresh(): Promise<void> {
    rows = await sumUnpaidGas(database, chainIds)
    for (const chainId of chainIds) {
      const { lost, atRisk, budget } = view(chainId)
      const isUsedUp = usedUpSince.delete(chainId)
      alarm.look(chainId, { lost, atRisk, budget, percent: isUsedUp ? 100 : partUsed(lost, budget) })
    }
    if (performance.now() - purgedAt < PURGE_EVERY_MS) return
    purgedAt = performance.now()
    await purgeUnpaidGas(database)
  }

  function refreshLater(): void {
    timer = setTimeout(() => {
      working = refresh()
        .catch((error: unknown) => logger.warn({ err: error }, 'the unpaid gas could not be read'))
        .finally(() => {
          if (!stopped) refreshLater()
        })
    }, REFRESH_MS)
    timer.unref()
  }

  /** Throws unless there is room now. */
  async function demand(
    connection: CommonQueryMethods,
    { chainId, share, gas }: Pick<GasAtRisk, 'chainId' | 'share' | 'gas'>,
  ): Promise<void> {
    const budget = budgetOf(chainId)
    const { used } = readShares(await sumUnpaidGas(connection, [chainId]), chainId)
    if (excessOf(share, used, gas, budget) === 0n) return
    const counts = refused.get(chainId)
    if (counts) counts[share] += 1
    usedUpSince.add(chainId)
    const losses = await listLosses(connection, chainId)
    throw usedUp(share, secondsUntilRoom(share, { used, gas, budget }, losses) ?? RETRY_SECONDS)
  }

  return {
    async take(transaction, risk) {
      await lockGasBudget(transaction, risk.chainId)
      await demand(transaction, risk)
      await insertGasAtRisk(transaction, risk)
    },
    async demandRoom(chainId, share, gas) {
      const isNear = share === 'plain' || excessOf(share, view(chainId).lost, gas, budgetOf(chainId)) > 0n
      if (isNear) await demand(database, { chainId, share, gas })
    },
    countsPlain: (chainId) => view(chainId).lost.plain > 0n,
    mostOf: (chainId, share) => mostOf(share, budgetOf(chainId)),
    view,
    async start() {
      await refresh()
      refreshLater()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await working
    },
  }
}

const SHARES = ['relay', 'new', 'proven', 'plain'] as const
const NONE = { relay: 0, new: 0, proven: 0, plain: 0 }

function readShares(rows: readonly UnpaidGasRow[], chainId: number) {
  const [lost, used] = [{ ...NO_GAS }, { ...NO_GAS }]
  for (const row of rows) {
    if (row.chainId !== chainId) continue
    lost[row.share] += row.lost
    used[row.share] += row.lost + row.atRisk
  }
  return { lost, used }
}

const usedUp = (share: GasShare, retryAfterSeconds: number) =>
  gasBudgetUsedUp(
    `Recipients have made too many transactions fail within the hour: ${
      share === 'plain' ? 'none that is called when it is paid' : 'no contract'
    } is paid at the moment`,
    { retryAfterSeconds },
  )
