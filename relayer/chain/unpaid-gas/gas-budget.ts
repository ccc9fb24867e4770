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
  gasOfKnown,
  gasOfStrangers,
} from './budget-rules.ts'
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

/**
 * Creates the budget of unpaid gas of all chains, over rows that all instances share. It holds no connection; `start()`
 * begins the rounds that read the sums for the metrics, log alarms and delete expired losses.
 * @param budgets Gas an hour for strangers' code, by chain.
 */
export function createGasBudget(
  database: DatabasePool,
  budgets: ReadonlyMap<number, bigint>,
  logger: Logger,
): GasBudget {
  return new SharedGasBudget(database, budgets, logger)
}

class SharedGasBudget implements GasBudget {
  readonly #database: DatabasePool
  readonly #budgets: ReadonlyMap<number, bigint>
  readonly #logger: Logger
  readonly #chainIds: readonly number[]
  readonly #alarm: BudgetAlarm
  readonly #refused: ReadonlyMap<number, Record<GasShare, number>>
  /** Chains where a request was refused since the last round. */
  readonly #usedUpSince = new Set<number>()
  #rows: readonly UnpaidGasRow[] = []
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #purgedAt = -Infinity
  #stopped = false

  constructor(database: DatabasePool, budgets: ReadonlyMap<number, bigint>, logger: Logger) {
    this.#database = database
    this.#budgets = budgets
    this.#logger = logger
    this.#chainIds = [...budgets.keys()]
    this.#alarm = createBudgetAlarm(logger)
    this.#refused = new Map(this.#chainIds.map((id) => [id, { ...NONE }]))
  }

  taking(outboundId: string, asked: AskedLines): FragmentSqlToken {
    return takingGas(outboundId, this.#askOf(asked))
  }

  async findFitting(asked: AskedLines, isTight: boolean): Promise<ReadonlySet<string>> {
    const { atRisk, budget } = this.view(asked.chainId)
    if (!isTight && !this.hasLost(asked.chainId) && partUsed(atRisk, budget) < FAR_PERCENT)
      return new Set(asked.lines.map(({ reference }) => reference))
    return new Set(await listFittingGas(this.#database, this.#askOf(asked)))
  }

  async findHopeless(asked: AskedLines): Promise<ReadonlySet<string>> {
    const hopeful = new Set(await listFittingGas(this.#database, this.#askOf(asked), true))
    return new Set(asked.lines.flatMap(({ reference }) => (hopeful.has(reference) ? [] : reference)))
  }

  async demandRoom({ chainId, accountId, network, ...wanted }: AskedGas): Promise<void> {
    const budget = this.#budgetOf(chainId)
    if (!this.#mayMatter(chainId, accountId) && hasRoom(wanted, [], budget)) return
    const losses = await listLosses(this.#database, chainId, { accountId, network })
    if (hasRoom(wanted, losses, budget)) return
    throw this.refuse(chainId, wanted.share, secondsUntilRoom(wanted, losses, budget) ?? RETRY_SECONDS)
  }

  refuse(chainId: number, share: GasShare, retryAfterSeconds = RETRY_SECONDS): Error {
    const counts = this.#refused.get(chainId)
    if (counts) counts[share] += 1
    this.#usedUpSince.add(chainId)
    return gasBudgetUsedUp('Too many transactions of this sort failed within the hour at our cost', {
      retryAfterSeconds,
    })
  }

  hasLost(chainId: number): boolean {
    return this.#rows.some((row) => row.chainId === chainId && row.lost > 0n)
  }

  mostOf(chainId: number, share: GasShare): bigint {
    return mostGasOf(share, this.#budgetOf(chainId))
  }

  view(chainId: number): UnpaidGas {
    const [lost, atRisk] = [{ ...NO_GAS }, { ...NO_GAS }]
    for (const row of this.#rows) {
      if (row.chainId !== chainId) continue
      lost[row.share] += row.lost
      atRisk[row.share] += row.atRisk
    }
    const refused = { ...NONE, ...this.#refused.get(chainId) }
    return { budget: this.#budgetOf(chainId), lost, atRisk, refused }
  }

  async start(): Promise<void> {
    await this.#refresh()
    this.#refreshLater()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#working
  }

  /** True if losses may refuse a transaction. Only the shares limit a relay, so far from them it asks no database. */
  #mayMatter(chainId: number, accountId: string | null): boolean {
    const { lost, budget } = this.view(chainId)
    return this.hasLost(chainId) && (accountId !== null || partUsed(lost, budget) >= FAR_PERCENT)
  }

  #budgetOf(chainId: number): bigint {
    return this.#budgets.get(chainId) ?? 0n
  }

  #askOf(asked: AskedLines) {
    return { ...asked, limits: limitsOf(this.#budgetOf(asked.chainId)) }
  }

  async #refresh(): Promise<void> {
    const database = this.#database
    this.#rows = await sumUnpaidGas(database, this.#chainIds)
    for (const chainId of this.#chainIds) {
      const { lost, atRisk, budget } = this.view(chainId)
      const isUsedUp = this.#usedUpSince.delete(chainId)
      this.#alarm.look(chainId, { lost, atRisk, budget, percent: isUsedUp ? 100 : partUsed(lost, budget) })
    }
    if (performance.now() - this.#purgedAt < PURGE_EVERY_MS) return
    this.#purgedAt = performance.now()
    await purgeUnpaidGas(database)
  }

  #refreshLater(): void {
    this.#timer = setTimeout(() => {
      this.#working = this.#refresh()
        .catch((error: unknown) => this.#logger.warn({ err: error }, 'the unpaid gas could not be read'))
        .finally(() => {
          if (!this.#stopped) this.#refreshLater()
        })
    }, REFRESH_MS)
    this.#timer.unref()
  }
}

const NONE = { relay: 0, new: 0, proven: 0, plain_relay: 0, plain_new: 0, plain_proven: 0 }

/** An alarm ends this long after its last sign; a new sign then alarms again. */
const OVER_AFTER_MS = 600_000

/** Alarms the operator when half of a limit is lost, and when a request was refused; once each while it lasts. */
interface BudgetAlarm {
  /** @param percent Percentage of the most used limit; 100 once a request was refused. */
  look(
    chainId: number,
    unpaid: { lost: GasByShare; atRisk: GasByShare; budget: bigint; percent: number },
  ): void
}

/** @param now Milliseconds of a monotonic clock. */
export function createBudgetAlarm(logger: Logger, now = () => performance.now()): BudgetAlarm {
  const told = new Map<number, { step: 50 | 100; seenAt: number }>()
  return {
    look(chainId, { lost, atRisk, budget, percent }) {
      const last = told.get(chainId)
      if (percent < 50) {
        if (last && now() - last.seenAt > OVER_AFTER_MS) told.delete(chainId)
        return
      }
      const step = percent < 100 ? 50 : 100
      told.set(chainId, { step: last && last.step > step ? last.step : step, seenAt: now() })
      if (last && last.step >= step) return
      const facts = {
        chainId,
        budgetGas: String(budget),
        lostGas: String(gasOfStrangers(lost)),
        atRiskGas: String(gasOfStrangers(atRisk)),
        lostByKnownCode: String(gasOfKnown(lost)),
        atRiskByKnownCode: String(gasOfKnown(atRisk)),
      }
      if (step === 100)
        logger.error(
          facts,
          'a share of the budget of unpaid gas is used up: some requests are refused for now',
        )
      else logger.warn(facts, 'half of a limit of unpaid gas is used up')
    },
  }
}
