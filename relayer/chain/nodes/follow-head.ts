import type { Logger } from 'pino'
import type { Head, HeadReading } from './chain.ts'
import type { HeadBlock, HeadNews } from './head-news.ts'
import type { SharedLooks } from './share-looks.ts'

/** Follows the newest block of a chain; see the members of the same names of a Chain. */
export interface HeadFollower {
  head(): Head | null
  onHead(listener: (head: Head) => void | Promise<void>): () => void
  onHeadRead(reading: HeadReading): () => void
  refresh(): Promise<Head>
  isLooking(): boolean
  start(): Promise<void>
  stop(): Promise<void>
}

/** Dependencies of the follower. */
export interface HeadFollowerParts {
  log: Logger
  pollIntervalMs: number
  looks: SharedLooks
  /** Asks a node for the newest block. */
  read(): Promise<HeadBlock>
  /** Called with each new head before the listeners. */
  note(block: HeadBlock): void
}

/**
 * An instance reads the head itself after this time or number of polls, whichever is sooner, regardless of published heads.
 * The node of the publishing instance may stand still.
 */
const OWN_LOOK_MS = 30_000
const OWN_LOOK_POLLS = 30

/** A listener of heads. `told`: the encoded reading of another instance. */
type Listener = (head: Head, told?: string) => void | Promise<void>

/** Creates the loop that follows a chain's head, by its own reads and those of other instances. */
export function followHead(parts: HeadFollowerParts): HeadFollower {
  return new PolledHead(parts)
}

class PolledHead implements HeadFollower {
  readonly #parts: HeadFollowerParts
  readonly #ownLookMs: number
  readonly #listeners: HeadListeners
  #newest: Head | null = null
  #looking: Promise<Head> | null = null
  /** Heads are applied one after another, whichever instance read them. */
  #takingOver: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #lookedAt = -Infinity

  constructor(parts: HeadFollowerParts) {
    this.#parts = parts
    this.#ownLookMs = Math.min(OWN_LOOK_MS, OWN_LOOK_POLLS * parts.pollIntervalMs)
    this.#listeners = new HeadListeners(parts.log)
  }

  head(): Head | null {
    return this.#newest
  }

  onHead(listener: (head: Head) => void | Promise<void>): () => void {
    return this.#listeners.add((head) => listener(head), null)
  }

  onHeadRead(reading: HeadReading): () => void {
    return this.#listeners.add(async (_, told) => {
      if (told === undefined || !isTaken(reading, told)) await reading.read()
    }, reading)
  }

  refresh(): Promise<Head> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null))
    return this.#looking
  }

  isLooking(): boolean {
    return this.#parts.looks.isLooking()
  }

  async start(): Promise<void> {
    await this.#parts.looks.listen((news) => this.#hear(news))
    await this.#follow()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#parts.looks.close()
    await this.#looking?.catch(() => undefined)
    await this.#takingOver
    this.#listeners.clear()
  }

  async #follow(): Promise<void> {
    const { log } = this.#parts
    try {
      await this.refresh()
    } catch (error) {
      // The alarm CHAIN_DOWN names the nodes.
      log.debug({ err: error }, 'no RPC of the chain answers')
    }
    if (!this.#stopped) this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#follow(), this.#parts.looks.nextLookMs())
  }

  async #look(): Promise<Head> {
    const askedAt = Date.now()
    this.#lookedAt = askedAt
    const before = this.#newest
    const block = await this.#parts.read()
    return this.#inTurn(async () => {
      // Meanwhile another instance published a later read.
      if (this.#newest && this.#newest !== before && this.#newest.seenAt > askedAt) return this.#newest
      const head = await this.#takeOver(block, askedAt)
      const isNews = before?.hash !== head.hash
      this.#parts.looks.tell({
        at: askedAt,
        hash: head.hash,
        block: isNews ? block : null,
        readings: isNews ? this.#listeners.writeReadings() : {},
      })
      return head
    })
  }

  /** Applies the read of another instance, unless this one has a later read. */
  #hear({ block, hash, at, readings }: HeadNews): void {
    const seenAt = Math.min(at, Date.now())
    const newest = this.#newest
    // The reads of a head published before this instance subscribed are unknown here: it reads the head itself.
    if (this.#stopped || (!block && hash !== newest?.hash)) return
    // A reorg is accepted only from this instance's own nodes.
    if (block && newest && block.number < newest.number) return
    if (Date.now() - this.#lookedAt < this.#ownLookMs) this.#schedule()
    void this.#inTurn(async () => {
      if (this.#newest && this.#newest.seenAt >= seenAt) return
      if (block) await this.#takeOver(block, seenAt, readings)
      else if (this.#newest?.hash === hash) {
        this.#newest = { ...this.#newest, seenAt }
        await this.#listeners.callOwed(this.#newest)
      }
    })
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#takingOver.then(work)
    this.#takingOver = turn.catch(() => undefined)
    return turn
  }

  async #takeOver(block: HeadBlock, seenAt: number, told: HeadNews['readings'] = {}): Promise<Head> {
    const { number, hash, parentHash, timestamp, baseFeePerGas, gasLimit } = block
    const head = { number, hash, parentHash, timestamp, baseFeePerGas: baseFeePerGas ?? 0n, gasLimit, seenAt }
    const moved = this.#newest?.hash !== hash
    this.#newest = head
    if (moved) this.#parts.note(block)
    await (moved ? this.#listeners.callAll(head, told) : this.#listeners.callOwed(head, told))
    return head
  }
}

/** The listeners of a chain's heads, and those among them that have to be called again. */
class HeadListeners {
  readonly #log: Logger
  readonly #listeners = new Map<Listener, HeadReading | null>()
  /** Failed listeners are called again at the next read, because a quiet chain may have no further head. */
  readonly #owed = new Set<Listener>()

  constructor(log: Logger) {
    this.#log = log
  }

  add(listener: Listener, reading: HeadReading | null): () => void {
    this.#listeners.set(listener, reading)
    return () => {
      this.#listeners.delete(listener)
      this.#owed.delete(listener)
    }
  }

  callAll(head: Head, told: HeadNews['readings']): Promise<unknown> {
    return this.#callThese([...this.#listeners], head, told)
  }

  /** Calls those again that failed. */
  callOwed(head: Head, told: HeadNews['readings'] = {}): Promise<unknown> {
    const owed = [...this.#listeners].filter(([listener]) => this.#owed.has(listener))
    return this.#callThese(owed, head, told)
  }

  /** Returns the readings of the newest head, for other instances. */
  writeReadings(): HeadNews['readings'] {
    const written = [...this.#listeners].flatMap(([listener, reading]) => {
      const text = reading && !this.#owed.has(listener) ? reading.write() : null
      return reading && text !== null ? [[reading.name, text] as const] : []
    })
    return Object.fromEntries(written)
  }

  clear(): void {
    this.#listeners.clear()
    this.#owed.clear()
  }

  /** All in one tick, so that their requests share one batch. */
  #callThese(
    called: readonly (readonly [Listener, HeadReading | null])[],
    head: Head,
    told: HeadNews['readings'],
  ): Promise<unknown> {
    return Promise.all(
      called.map(([listener, reading]) =>
        this.#call(listener, head, reading ? told[reading.name] : undefined),
      ),
    )
  }

  async #call(listener: Listener, head: Head, told?: string): Promise<void> {
    try {
      await listener(head, told)
      this.#owed.delete(listener)
    } catch (error) {
      if (!this.#owed.has(listener))
        this.#log.warn(
          { err: error, block: head.number },
          'a listener of the chain head failed; it is notified again',
        )
      if (this.#listeners.has(listener)) this.#owed.add(listener)
    }
  }
}

/** True if this instance could use the reading of another. An instance of another version may encode it differently. */
function isTaken(reading: HeadReading, told: string): boolean {
  try {
    return reading.take(told)
  } catch {
    return false
  }
}
