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
  const { log, looks, read, note, pollIntervalMs } = parts
  const ownLookMs = Math.min(OWN_LOOK_MS, OWN_LOOK_POLLS * pollIntervalMs)
  const listeners = new Map<Listener, HeadReading | null>()
  /** Failed listeners are called again at the next read, because a quiet chain may have no further head. */
  const owed = new Set<Listener>()
  let newest: Head | null = null
  let looking: Promise<Head> | null = null
  /** Heads are applied one after another, whichever instance read them. */
  let takingOver: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failures = 0
  let lookedAt = -Infinity

  async function tell(listener: Listener, head: Head, told?: string): Promise<void> {
    try {
      await listener(head, told)
      owed.delete(listener)
    } catch (error) {
      if (!owed.has(listener))
        log.warn({ err: error, block: head.number }, 'a listener of the chain head failed; it is told again')
      if (listeners.has(listener)) owed.add(listener)
    }
  }

  async function takeOver(block: HeadBlock, seenAt: number, told: HeadNews['readings'] = {}): Promise<Head> {
    const head: Head = {
      number: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: block.timestamp,
      baseFeePerGas: block.baseFeePerGas ?? 0n,
      gasLimit: block.gasLimit,
      seenAt,
    }
    const moved = newest?.hash !== head.hash
    newest = head
    if (moved) note(block)
    const called = moved ? [...listeners] : [...listeners].filter(([listener]) => owed.has(listener))
    // All in one tick, so that their requests share one batch.
    await Promise.all(
      called.map(([listener, reading]) => tell(listener, head, reading ? told[reading.name] : undefined)),
    )
    return head
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = takingOver.then(work)
    takingOver = turn.catch(() => undefined)
    return turn
  }

  /** Returns the readings of the newest head, for other instances. */
  function writeReadings(): HeadNews['readings'] {
    const written = [...listeners].flatMap(([listener, reading]) => {
      const text = reading && !owed.has(listener) ? reading.write() : null
      return reading && text !== null ? [[reading.name, text] as const] : []
    })
    return Object.fromEntries(written)
  }

  async function look(): Promise<Head> {
    const askedAt = Date.now()
    lookedAt = askedAt
    const before = newest
    const block = await read()
    return inTurn(async () => {
      // Meanwhile another instance published a later read.
      if (newest && newest !== before && newest.seenAt > askedAt) return newest
      const head = await takeOver(block, askedAt)
      const isNews = before?.hash !== head.hash
      looks.tell({
        at: askedAt,
        hash: head.hash,
        block: isNews ? block : null,
        readings: isNews ? writeReadings() : {},
      })
      return head
    })
  }

  /** Applies the read of another instance, unless this one has a later read. */
  function hear(news: HeadNews): void {
    const { block, hash, at, readings } = news
    const seenAt = Math.min(at, Date.now())
    // The reads of a head published before this instance subscribed are unknown here: it reads the head itself.
    if (stopped || (!block && hash !== newest?.hash)) return
    // A reorg is accepted only from this instance's own nodes.
    if (block && newest && block.number < newest.number) return
    if (Date.now() - lookedAt < ownLookMs) schedule()
    void inTurn(async () => {
      if (newest && newest.seenAt >= seenAt) return
      if (block) await takeOver(block, seenAt, readings)
      else if (newest?.hash === hash) {
        newest = { ...newest, seenAt }
        const head = newest
        await Promise.all([...owed].map((listener) => tell(listener, head)))
      }
    })
  }

  function refresh(): Promise<Head> {
    looking ??= look().finally(() => (looking = null))
    return looking
  }

  async function follow(): Promise<void> {
    try {
      await refresh()
      if (failures > 0) log.info('the chain answers again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1 || failures % 60 === 0)
        log.warn({ err: error, failures }, 'no RPC of the chain answers')
    }
    if (!stopped) schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void follow(), looks.nextLookMs())
  }

  function add(listener: Listener, reading: HeadReading | null): () => void {
    listeners.set(listener, reading)
    return () => {
      listeners.delete(listener)
      owed.delete(listener)
    }
  }

  return {
    head: () => newest,
    onHead: (listener) => add((head) => listener(head), null),
    onHeadRead: (reading) =>
      add(async (_, told) => {
        if (told === undefined || !isTaken(reading, told)) await reading.read()
      }, reading),
    refresh,
    isLooking: looks.isLooking,
    async start() {
      await looks.listen(hear)
      await follow()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looks.close()
      await looking?.catch(() => undefined)
      await takingOver
      listeners.clear()
      owed.clear()
    },
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
