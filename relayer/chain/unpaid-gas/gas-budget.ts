import type { Logger } from 'pino'
import type { DatabasePool, FragmentSqlToken } from 'slonik'
import {
  listFittingGas,
  listLosses,
  purgeUnpaidGas,
  sumUnpaidGas,
  takingGas,
  type GasLine,
  type GasShare,
  type UnpaidGasRow,
} from '../../../db/chain/unpaid-gas/gas-budget.ts'
import {
  hasRoom,
  limitsOf,
  mostGasOf,
  NO_GAS,
  partUsed,
  secondsUntilRoom,
  type GasByShare,
  type WantedGas,
} from './budget-rules.ts'
import { createBudgetAlarm } from './budget-alarm.ts'
import { gasBudgetUsedUp } from '../errors.ts'

const REFRESH_MS = 2_000
const PURGE_EVERY_MS = 60_000
/** Part of a limit: below it the database is not asked which lines fit, because the taking statement judges them anyway. */
const FAR_PERCENT = 25
/** Seconds until pending gas may have ended with a block. */
const RETRY_SECONDS = 15

/** A chain's unpaid gas as it was last read. */
export interface UnpaidGas {
  /** Gas an hour for strangers' code. */
  budget: bigint
  /** Within the last hour. */
  lost: GasByShare
  /** Most gas that pending transactions may use without paying for it. */
  atRisk: GasByShare
  /** Refused since start, by share, in this instance. */
  refused: Readonly<Record<GasShare, number>>
}

/** A transaction to be sent, its account, and the keyed name of the network that asks; both null for relays. */
export interface AskedGas extends WantedGas {
  chainId: number
  accountId: string | null
  network: string | null
}

/** Lines of one transaction, or of several that follow each other. */
export interface AskedLines {
  chainId: number
  lines: readonly GasLine[]
  /** Confirmed payments that make an account a proven one. */
  provenAfter: number
}

/** The gas that the service may lose in an hour, by chain: see the district's README. */
export interface GasBudget {
  /**
   * Takes the gas of a transaction in the statement that writes it. If it does not fit, the statement throws an error that
   * `isGasRefused` recognises.
   */
  taking(outboundId: string, asked: AskedLines): FragmentSqlToken
  /**
   * References of the lines that fit now, one after the other; takes nothing.
   * @param isTight False: if all limits were far away at the last read, it does not ask the database.
   */
  findFitting(asked: AskedLines, isTight: boolean): Promise<ReadonlySet<string>>
  /** References of the lines for which losses leave no room, even without pending gas. */
  findHopeless(asked: AskedLines): Promise<ReadonlySet<string>>
  /**
   * Refuses a transaction for which losses leave no room. Pending gas causes no refusal, because it ends soon.
   * @throws ServiceError `unavailable` GAS_BUDGET_USED_UP, with the time after which there may be room again.
   */
  demandRoom(asked: AskedGas): Promise<void>
  /** Creates the same refusal for a transaction that waited in vain for pending ones. */
  refuse(chainId: number, share: GasShare): Error
  /** True if gas was lost on the chain within the hour, as of the last read. */
  hasLost(chainId: number): boolean
  /** Most gas of one transaction of a share: more never fits, however long its sender waits. */
  mostOf(chainId: number, share: GasShare): bigint
  view(chainId: number): UnpaidGas
  start(): Promise<void>
  stop(): Promise<void>
}

/** Dependencies of the gas budget. */
export interface GasBudgetParts {
  database: DatabasePool
  /** Gas an hour for strangers' code, by chain. */
  budgets: ReadonlyMap<number, bigint>
  logger: Logger
}

/**
 * Creates the budget of unpaid gas of all chains, over rows that all instances share. It holds no connection; `start()`
 * begins the rounds that read the sums for the metrics, log alarms and delete expired losses.
 */
export function createGasBudget({ database, budgets, logger }: GasBudgetParts): GasBudget {
  const chainIds = [...budgets.keys()]
  const alarm = createBudgetAlarm(logger)
  const refused = new Map(chainIds.map((id) => [id, { ...NONE }]))
  /** Chains where a request was refused since the last round. */
  const usedUpSince = new Set<number>()
  let rows: readonly UnpaidGasRow[] = []
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let purgedAt = -Infinity
  let stopped = false

  const budgetOf = (chainId: number) => budgets.get(chainId) ?? 0n

  function view(chainId: number): UnpaidGas {
    const [lost, atRisk] = [{ ...NO_GAS }, { ...NO_GAS }]
    for (const row of rows) {
      if (row.chainId !== chainId) continue
      lost[row.share] += row.lost
      atRisk[row.share] += row.atRisk
    }
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

  function refuse(chainId: number, share: GasShare, retryAfterSeconds = RETRY_SECONDS): Error {
    const counts = refused.get(chainId)
    if (counts) counts[share] += 1
    usedUpSince.add(chainId)
    return gasBudgetUsedUp('Too many transactions of this sort failed within the hour at our cost', {
      retryAfterSeconds,
    })
  }

  const hasLost = (chainId: number) => rows.some((row) => row.chainId === chainId && row.lost > 0n)

  const askOf = ({ chainId, ...asked }: AskedLines) => ({
    chainId,
    ...asked,
    limits: limitsOf(budgetOf(chainId)),
  })

  return {
    taking: (outboundId, asked) => takingGas(outboundId, askOf(asked)),
    async findFitting(asked, isTight) {
      const { atRisk, budget } = view(asked.chainId)
      if (!isTight && !hasLost(asked.chainId) && partUsed(atRisk, budget) < FAR_PERCENT)
        return new Set(asked.lines.map(({ reference }) => reference))
      return new Set(await listFittingGas(database, askOf(asked)))
    },
    async findHopeless(asked) {
      const hopeful = new Set(await listFittingGas(database, askOf(asked), true))
      return new Set(asked.lines.flatMap(({ reference }) => (hopeful.has(reference) ? [] : reference)))
    },
    async demandRoom({ chainId, accountId, network, ...wanted }) {
      const budget = budgetOf(chainId)
      if (!hasLost(chainId) && hasRoom(wanted, [], budget)) return
      const losses = await listLosses(database, chainId, { accountId, network })
      if (hasRoom(wanted, losses, budget)) return
      throw refuse(chainId, wanted.share, secondsUntilRoom(wanted, losses, budget) ?? RETRY_SECONDS)
    },
    refuse,
    hasLost,
    mostOf: (chainId, share) => mostGasOf(share, budgetOf(chainId)),
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

const NONE = { relay: 0, new: 0, proven: 0, plain_relay: 0, plain_new: 0, plain_proven: 0 }
