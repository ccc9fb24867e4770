import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabasePool, Interceptor } from 'slonik'
import { mayWrite } from './refuse-writes.ts'

/** Whose work runs; `holds` inside of what has a connection already. */
const working = new AsyncLocalStorage<{ account: string; holds: boolean } | undefined>()

/** Does work of an account: whatever of it asks a database, waits while the account has its part of the connections. */
export const workFor = <Result>(account: string, work: () => Result): Result =>
  working.run({ account, holds: false }, work)

/** Does work that others wait for as well, whoever began it: it waits for nobody's part, and may write. */
export const workForAll = <Result>(work: () => Result): Result => working.run(undefined, () => mayWrite(work))

/** Does work when it is the turn of the client whose work it is. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

interface Part {
  taken: number
  waiting: (() => void)[]
}

/**
 * Creates an interceptor that gives the work of one account no more than so many connections of a pool at once. Reads of an
 * account with very many addresses take seconds, and sixty of them at once would leave nobody else a connection.
 *
 * @param pool The pool that it belongs to.
 * @param inTurn Does what has its account's part once it is its client's turn.
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
    // Whoever ends hands its place on.
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

  /** The pool, whose methods wait for the account's turn. */
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
