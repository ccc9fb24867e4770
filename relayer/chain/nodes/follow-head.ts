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

/** What following a head needs. */
export interface HeadFollowerParts {
  log: Logger
  pollIntervalMs: number
  looks: SharedLooks
  /** Asks a node for the newest block. */
  read(): Promise<HeadBlock>
  /** Is told each new head before everybody else. */
  note(block: HeadBlock): void
}

/**
 * However much is heard, an instance looks for itself after so long or so many polls, whichever is sooner: another's node may
 * stand still.
 */
const OWN_LOOK_MS = 30_000
const OWN_LOOK_POLLS = 30

/** One who is told of heads. `told` is what another instance read of it. */
type Listener = (head: Head, told?: string) => void | Promise<void>

/** Creates the loop that follows a chain's head, by looks of its own and by those of other instances. */
export function followHead(parts: HeadFollowerParts): HeadFollower {
  const { log, looks, read, note, pollIntervalMs } = parts
  const ownLookMs = Math.min(OWN_LOOK_MS, OWN_LOOK_POLLS * pollIntervalMs)
  const listeners = new Map<Listener, HeadReading | null>()
  /**
   * Listeners that failed are called again at the next look, because a quiet chain may have no further head.
   */
  const owed = new Set<Listener>()
  let newest: Head | null = null
  let looking: Promise<Head> | null = null
  /** Heads are taken over one after another, whoever saw them. */
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

  /** What listeners have read of the newest head, for other instances. */
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
      // Meanwhile another instance told what it asked for later.
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

  /** Takes over what another instance saw. What this one has seen later stays. */
  function hear(news: HeadNews): void {
    const { block, hash, at, readings } = news
    const seenAt = Math.min(at, Date.now())
    // Of a head that was told before this instance listened nothing is known here: it looks itself.
    if (stopped || (!block && hash !== newest?.hash)) return
    // That a chain went back is believed of a node of one's own alone.
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

/** Whether what another instance read was of use. One of another version may write it otherwise. */
function isTaken(reading: HeadReading, told: string): boolean {
  try {
    return reading.take(told)
  } catch {
    return false
  }
}
