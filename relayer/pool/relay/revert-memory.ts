import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  findReverts,
  forgetSpentNotes,
  listChainsOfReverts,
  listNotesOfRecipient,
  purgeReverts,
  type RevertFacts,
} from '../../../db/pool/relay/relay-reverts.ts'
import type { Pool, PoolState } from '../state/pool-state.ts'
import type { CheckedRequest } from './check-request.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { nullifierAlreadySpent, transactionFailed } from './refusals.ts'

const LOOK_EVERY_MS = 30_000
/** Maximum of notes that are read on chain before a recipient is refused. */
const MOST_ASKED = 32

const WORDS = {
  pair: 'the last relay of this note to this recipient reverted',
  note: 'relays of this note reverted, for any recipient',
  recipient: 'relays of several notes to this recipient reverted',
} as const satisfies Record<RevertBlock['of'], string>

/** Returns a MAC by which only this service recognises a recipient of a chain. */
export type NameRecipient = (chainId: number, recipient: string) => Promise<Uint8Array>

/** Remembers which notes and recipients made relays revert on chain. It reads the database only while it remembers any. */
export interface RevertMemory {
  /**
   * Refuses a request whose note or recipient reverted before, for a time that grows with each repetition. Runs
   * before the proof is verified. Notes that are spent meanwhile do not count. Throws RefusedError.
   */
  check(checked: CheckedRequest): Promise<void>
  /** Notes that a relay of the chain reverted, at any instance. */
  note(chainId: number): void
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Creates the memory over PostgreSQL. It reads the database only for chains with a recent revert; `start()` begins
 * the rounds that find those chains.
 * @param blameRecipientAfter Distinct notes that must have failed at a recipient before it is refused for every note.
 */
export function createRevertMemory(
  database: DatabasePool,
  nameRecipient: NameRecipient,
  blameRecipientAfter: number,
  logger: Logger,
): RevertMemory {
  let chains = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const judge = (facts: RevertFacts | null) => facts && judgeReverts(facts, blameRecipientAfter)

  async function look(): Promise<void> {
    await purgeReverts(database)
    chains = new Set(await listChainsOfReverts(database))
  }

  return {
    async check({ pool, nullifierHash, relayData, relayerChain }) {
      const { chainId } = pool
      if (!chains.has(chainId)) return
      const recipient = await nameRecipient(chainId, relayData.recipient)
      const asked = { chainId, pool: pool.address, nullifierHash, recipient }
      if (!judge(await findReverts(database, asked))) return
      await orPoolsRefreshing(
        chainId,
        forgetSpent(database, relayerChain.pools, { pool, nullifierHash, recipient }),
      )
      const block = judge(await findReverts(database, asked))
      if (!block) return
      throw transactionFailed(
        `${WORDS[block.of]}; it is not sent again before ${block.seconds} s have passed`,
      )
    },
    note: (chainId) => void chains.add(chainId),
    async start() {
      await look()
      timer = setInterval(() => {
        looking = look().catch((error: unknown) =>
          logger.warn({ err: error }, 'what reverted could not be read'),
        )
      }, LOOK_EVERY_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

/** Checks on chain whether the notes of those reverts are spent. This is rare: only before a request would be refused. */
async function forgetSpent(
  database: DatabasePool,
  pools: PoolState,
  { pool, nullifierHash, recipient }: { pool: Pool; nullifierHash: bigint; recipient: Uint8Array },
): Promise<void> {
  if (await pools.isSpent(pool, nullifierHash)) throw nullifierAlreadySpent()
  const notes = (await listNotesOfRecipient(database, recipient)).slice(0, MOST_ASKED)
  const known = new Map<string, Pool>(pools.pools().map((one) => [one.address, one]))
  const spent = await Promise.all(
    notes.map(async (note) => {
      const its = known.get(note.pool)
      return its !== undefined && (await pools.isSpent(its, note.nullifierHash))
    }),
  )
  const gone = notes.filter((_, place) => spent[place])
  if (gone.length > 0) await forgetSpentNotes(database, pool.chainId, gone)
}

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 6 * 3_600
/** Number of recipients after which the note itself is to blame, because only its owner can make its proofs. */
const NOTE_RECIPIENTS = 2

/** A block after reverts, with its remaining seconds. */
interface RevertBlock {
  /** The blocked party. */
  of: 'pair' | 'note' | 'recipient'
  seconds: number
}

/**
 * Returns how long a note, a recipient, or the pair of both has to wait after reverted relays; null for no wait. The
 * pair waits a minute, doubled after each repetition. The note waits at every recipient once it failed at two. The
 * recipient waits for every note only after `blameRecipientAfter` distinct notes failed there. So one note cannot get
 * an honest contract refused.
 */
export function judgeReverts(facts: RevertFacts, blameRecipientAfter: number): RevertBlock | null {
  const blocks: RevertBlock[] = [
    { of: 'pair', seconds: left(facts.pairFailures, facts.pairAge) },
    {
      of: 'note',
      seconds: facts.noteRecipients < NOTE_RECIPIENTS ? 0 : left(facts.noteFailures, facts.noteAge),
    },
    {
      of: 'recipient',
      seconds:
        facts.recipientNotes < blameRecipientAfter
          ? 0
          : left(facts.recipientFailures - blameRecipientAfter + 1, facts.recipientAge),
    },
  ]
  const [longest] = blocks.toSorted((a, b) => b.seconds - a.seconds)
  return longest && longest.seconds > 0 ? longest : null
}

const left = (failures: number, age: number) =>
  failures < 1 ? 0 : Math.min(FIRST_SECONDS * 2 ** Math.min(failures - 1, 20), LONGEST_SECONDS) - age
