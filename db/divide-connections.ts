import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabasePool, Interceptor } from 'slonik'
import { mayWrite } from './refuse-writes.ts'

/** The account whose work runs; `holds` is true inside work that already has a connection. */
const working = new AsyncLocalStorage<{ account: string; holds: boolean } | undefined>()

/** Runs work of an account: its database calls wait while the account uses its full share of connections. */
export const workFor = <Result>(account: string, work: () => Result): Result =>
  working.run({ account, holds: false }, work)

/** Runs work that others wait for as well, no matter who began it. It counts for no account's share, and may write. */
export const workForAll = <Result>(work: () => Result): Result => working.run(undefined, () => mayWrite(work))

/** Runs work when its client's turn comes. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Part {
  taken: number
  waiting: (() => void)[]
}

/**
 * Creates an interceptor that limits one account's work to `most` connections of a pool at once. Reads of an account
 * with very many addresses take seconds; sixty at once would leave no connection to others.
 *
 * @param pool Returns the pool that it belongs to.
 * @param inTurn Runs work within its account's share once its client's turn comes.
 */
export function createConnectionDivider(
  most: number,
  pool: () => DatabasePool,
  inTurn: InTurn = (work) => work(),
): Interceptor {
  const parts = new Map<string, Part>()

  async function inPart<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    const part = parts.get(account) ?? { taken: 0, waiting: [] }
    parts.set(account, part)
    if (part.taken < most) part.taken += 1
    // Finished work hands its place to the next.
    else await new Promise<void>((resolve) => part.waiting.push(resolve))
    try {
      return await inTurn(() => working.run({ account, holds: true }, work))
    } finally {
      const next = part.waiting.shift()
      if (next) next()
      else part.taken -= 1
      if (part.taken === 0) parts.delete(account)
    }
  }

  /** The pool with methods that wait for the account's share. */
  const divided = new Proxy({} as DatabasePool, {
    get: (_, name: keyof DatabasePool) => {
      const { account } = working.getStore() ?? {}
      const method: unknown = pool()[name]
      return account === undefined || typeof method !== 'function'
        ? method
        : (...given: unknown[]) => inPart(account, async () => method(...given) as unknown)
    },
  })

  return {
    name: 'divide-connections',
    beforePoolConnection: () => {
      const present = working.getStore()
      return present && !present.holds ? divided : undefined
    },
  }
}
