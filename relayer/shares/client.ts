import { AsyncLocalStorage } from 'node:async_hooks'
import { workFor, workForAll } from '../../db/divide-connections.ts'
import { onlyReading } from '../../db/refuse-writes.ts'

/** For whom work is done. */
export interface Client {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string
  /** Names whoever signed in, the same for all tokens of one account; null without a token. It is never logged. */
  readonly account: string | null
}

/** Work that no client asked for: the indexer, the engines, upkeep. */
export const SERVICE: Client = { network: '', account: null }

const working = new AsyncLocalStorage<Client>()

/**
 * Does work for a client: whatever of it draws on something shared, draws on the client's share.
 *
 * @param reads The account of which it reads and changes nothing: it takes that account's part of the database's connections.
 */
export const forClient = <Result>(client: Client, work: () => Result, reads: string | null = null): Result =>
  working.run(client, () => (reads === null ? work() : workFor(reads, work)))

/** Does work that answers a query: a statement of it that writes to the database fails. */
export const forQuery = <Result>(work: () => Result): Result => onlyReading(work)

/**
 * Does work that serves everybody, whichever client's request began it: runs that take along what others wait for. It draws
 * on nobody's share, here and in the database.
 */
export const forEverybody = <Result>(work: () => Result): Result =>
  working.run(SERVICE, () => workForAll(work))

/** The client whose work this is; {@link SERVICE} outside of every client's. */
export const presentClient = (): Client => working.getStore() ?? SERVICE
