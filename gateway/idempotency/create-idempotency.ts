import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonQueryMethods, DatabasePool } from 'slonik'
import {
  claimKey,
  findAnswer,
  purgeExpiredKeys,
  releaseClaim,
  renewClaim,
  storeAnswer,
  sumAnswers,
  type IdempotencyScope,
} from '../../db/idempotency/idempotency-keys.ts'
import type { KeepAnswer } from '../../relayer/keep-answer.ts'
import type { TransientSecrets } from '../../relayer/identity/transient-secrets.ts'
import type { Idempotency } from '../../schema/define/context.ts'
import type { Logger } from '../logging.ts'
import { idempotencyKeyReused, idempotencyKeysExhausted } from '../../schema/define/errors.ts'
import { serverBusy, badRequest } from '../../relayer/errors.ts'

const KEEP_SECONDS = 24 * 60 * 60
/**
 * Keys that an account may have at once: fourteen a minute all day. Older answers cannot be dropped, because they
 * were promised for a day.
 */
const MOST_KEYS = 20_000
/** Bytes of stored answers that an account may have at once; quotes of many addresses have a quarter of a megabyte each. */
const MOST_BYTES = 32 * 2 ** 20
/** Bytes of all accounts' answers together, beyond which each account gets the scarce limit. */
const MOST_OF_ALL = 4 * 2 ** 30
/** The scarce limit: some dozens of answers. */
const SCARCE_BYTES = 512 * 2 ** 10
/** A run is given up if its claim was not renewed for this long. */
const LEASE_MS = 5_000
/** Time that a request waits for another's run. It is longer than a lease, so that it can take over from a process that died. */
const PATIENCE_MS = 8_500
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
const PURGE_MS = 10 * 60_000

export interface RunningIdempotency extends Idempotency {
  stop(): Promise<void>
}

export interface IdempotencyOptions {
  database: DatabasePool
  /** Encrypts the answers, and hashes values that could be guessed. */
  secrets: TransientSecrets
  logger: Logger
  leaseMs?: number
  patienceMs?: number
  mostKeys?: number
  mostBytes?: number
  mostOfAll?: number
}

/** Runs each request with an idempotency key once across all instances, and keeps the answers for a day. */
export function createIdempotency(options: IdempotencyOptions): RunningIdempotency {
  return new OncePerKey(options)
}

type Run = (keep: KeepAnswer<unknown>) => Promise<unknown>

class OncePerKey implements RunningIdempotency {
  readonly #options: Required<IdempotencyOptions>
  /** Runs of this process; requests that wait for one of them need not query the database. */
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #purging: NodeJS.Timeout
  /** Bytes of all answers when they were last summed, and what this instance has stored since. */
  #stored = 0
  #tidying: Promise<void>

  constructor(options: IdempotencyOptions) {
    this.#options = {
      leaseMs: LEASE_MS,
      patienceMs: PATIENCE_MS,
      mostKeys: MOST_KEYS,
      mostBytes: MOST_BYTES,
      mostOfAll: MOST_OF_ALL,
      ...options,
    }
    this.#tidying = this.#tidy()
    this.#purging = setInterval(() => {
      this.#tidying = this.#tidy()
    }, PURGE_MS)
    this.#purging.unref()
  }

  async once(
    { accountId, operation, key, input }: Parameters<Idempotency['once']>[0],
    run: Run,
  ): Promise<unknown> {
    const { database, secrets, patienceMs } = this.#options
    const scope = { accountId, operation, keyHash: createHash('sha256').update(key).digest() }
    const name = `${accountId} ${operation} ${scope.keyHash.toString('hex')}`
    const plainHash = hashInput(input)
    const inputHash = secrets.digest('idempotency input', plainHash.toString('hex'))
    const deadline = performance.now() + patienceMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const kept = await findAnswer(database, scope)
      if (kept?.sealedAnswer != null) {
        demandSameInput(kept.inputHash, inputHash)
        return JSON.parse(secrets.open(contextOf(scope), kept.sealedAnswer))
      }
      if (kept?.answer != null) {
        demandSameInput(kept.inputHash, plainHash)
        return JSON.parse(kept.answer)
      }
      const claimId = await this.#claim(scope, inputHash)
      if (claimId !== null) {
        const ran = this.#runClaimed(claimId, scope, run).finally(() => this.#running.delete(name))
        this.#running.set(name, ran)
        try {
          return await ran
        } catch (error) {
          if (!(error instanceof ClaimLostError)) throw error
        }
      }
      if (kept) demandSameInput(kept.inputHash, inputHash)
      if (performance.now() >= deadline)
        throw serverBusy('The first request with this Idempotency-Key is still running')
      await Promise.race([sleep(pause), this.#running.get(name)?.catch(() => {}) ?? sleep(pause)])
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#purging)
    await this.#tidying
    await Promise.allSettled(this.#running.values())
  }

  /** Claims the key for a run. Returns null while another run has it. @throws ServiceError for an account that used up its keys. */
  async #claim(scope: IdempotencyScope, inputHash: Buffer): Promise<string | null> {
    const { database, leaseMs, mostKeys, mostBytes, mostOfAll } = this.#options
    const claim = {
      claimId: randomUUID(),
      inputHash,
      leaseMs,
      keepSeconds: KEEP_SECONDS,
      mostKeys,
      mostBytes: this.#stored < mostOfAll ? mostBytes : Math.min(mostBytes, SCARCE_BYTES),
    }
    const outcome = await claimKey(database, scope, claim)
    if (outcome === 'full')
      throw idempotencyKeysExhausted(
        `An account may use ${mostKeys} Idempotency-Keys in 24 hours, and ${claim.mostBytes} bytes of answers`,
      )
    return outcome === 'claimed' ? claim.claimId : null
  }

  async #runClaimed(claimId: string, scope: IdempotencyScope, run: Run): Promise<unknown> {
    const { database, secrets, leaseMs } = this.#options
    const renewing = setInterval(
      () => void renewClaim(database, claimId, scope, leaseMs).catch(this.#report),
      leaseMs / 3,
    )
    const store = async (connection: CommonQueryMethods, answer: unknown): Promise<number | null> => {
      const sealed = secrets.seal(contextOf(scope), JSON.stringify(answer))
      return (await storeAnswer(connection, claimId, scope, sealed)) ? sealed.length : null
    }
    const kept = { bytes: null as number | null }
    try {
      const answer = await run(async (transaction, made) => {
        kept.bytes = await store(transaction, made)
        if (kept.bytes === null) throw new ClaimLostError()
      })
      // The client gets its answer even if it could not be stored.
      this.#stored += kept.bytes ?? (await store(database, answer).catch(this.#report)) ?? 0
      return answer
    } catch (error) {
      await releaseClaim(database, claimId, scope).catch(this.#report)
      throw error
    } finally {
      clearInterval(renewing)
    }
  }

  async #tidy(): Promise<void> {
    const { database } = this.#options
    try {
      await purgeExpiredKeys(database)
      const before = this.#stored
      this.#stored = (await sumAnswers(database)) + (this.#stored - before)
    } catch (error) {
      this.#report(error)
    }
  }

  readonly #report = (error: unknown): void =>
    this.#options.logger.warn({ err: error }, 'an idempotency key could not be written')
}

/** The run took so long that another one claimed its key: its work is undone, and the other's answer counts. */
class ClaimLostError extends Error {
  override name = 'ClaimLostError'
}

/** Binds a sealed answer to its row: moved to another row, it cannot be opened. */
const contextOf = ({ accountId, operation, keyHash }: IdempotencyScope) =>
  `idempotent answer ${accountId} ${operation} ${keyHash.toString('hex')}`

function demandSameInput(kept: Buffer, given: Buffer): void {
  if (kept.equals(given)) return
  throw idempotencyKeyReused()
}

/** Inputs of operations have a few levels. Members of any type could nest so deeply that the stack overflows. */
const DEEPEST = 100

/**
 * SHA-256 of an input's canonical JSON: members sorted, absent ones left out, bigints and dates by their text.
 *
 * @throws ServiceError `bad-request` when it is nested more than 100 levels deep.
 */
export function hashInput(input: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(input)).digest()
}

function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw badRequest(`The input is nested more than ${DEEPEST} levels deep`)
  const write = (member: unknown) => canonicalJson(member, depth + 1)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`)
  return `{${members.join(',')}}`
}
