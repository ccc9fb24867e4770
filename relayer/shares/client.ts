import { AsyncLocalStorage } from 'node:async_hooks'
import { workFor, workForAll } from '../../db/divide-connections.ts'
import { onlyReading } from '../../db/refuse-writes.ts'

/** The client that work is done for. */
export interface Client {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string
  /** Identifies the signed-in account, the same for all its tokens; null without a token. Never logged. */
  readonly account: string | null
}

/** Work that no client asked for: the indexer, the engines, upkeep. */
export const SERVICE: Client = { network: '', account: null }

const working = new AsyncLocalStorage<Client>()

/**
 * Runs work for a client: its draws on shared resources count against the client's share.
 *
 * @param reads The account that the work reads and does not change: the work uses that account's part of the database
 * connections.
 */
export const forClient = <Result>(client: Client, work: () => Result, reads: string | null = null): Result =>
  working.run(client, () => (reads === null ? work() : workFor(reads, work)))

/** Runs work that answers a query: a statement of it that writes to the database fails. */
export const forQuery = <Result>(work: () => Result): Result => onlyReading(work)

/**
 * Runs work that serves everybody, for instance a run that includes other callers' items. It draws on no client's share,
 * here and in the database.
 */
export const forEverybody = <Result>(work: () => Result): Result =>
  working.run(SERVICE, () => workForAll(work))

/** Returns the client of the running work; {@link SERVICE} outside of any client's. */
export const presentClient = (): Client => working.getStore() ?? SERVICE
