import type { IncomingMessage } from 'node:http'
import type { EventsQuery } from './answers.ts'
import type { AspChain } from './asp-chain.ts'
import type { AspPool } from './read-chain.ts'

const STATUSES = ['pending', 'approved', 'declined'] as const
const ACTIONS = ['deposit', 'withdrawal', 'exit', 'ragequit'] as const

/** A request that the client has to change. */
export class AspRequestError extends Error {
  override name = 'AspRequestError'
  readonly status: 400 | 404 | 405

  constructor(status: 400 | 404 | 405, message: string) {
    super(message)
    this.status = status
  }
}

/** @throws AspRequestError where X-Pool-Scope names no pool of the chain. */
export function requirePool({ pools }: AspChain, request: IncomingMessage): AspPool {
  const scope = request.headers['x-pool-scope']
  if (typeof scope !== 'string' || scope === '') {
    throw new AspRequestError(400, 'Pool scope is required in X-Pool-Scope header')
  }
  if (!/^\d{1,78}$/.test(scope)) throw new AspRequestError(400, 'X-Pool-Scope has to be a decimal number')
  const pool = pools.find((candidate) => candidate.scope === BigInt(scope))
  if (!pool) throw new AspRequestError(404, `No pool of this chain has the scope ${scope}`)
  return pool
}

/** The labels of X-Labels. */
export function readLabels(request: IncomingMessage): bigint[] {
  const header = request.headers['x-labels']
  const labels = typeof header === 'string' ? header.split(',').map((label) => label.trim()) : []
  if (labels.length === 0 || !labels.every((label) => /^\d{1,78}$/.test(label))) {
    throw new AspRequestError(
      400,
      'Labels are required in X-Labels header: decimal numbers with commas between them',
    )
  }
  return labels.map(BigInt)
}

/**
 * The requested page of a feed.
 *
 * @throws AspRequestError for invalid pages and filters.
 */
export function readEventsQuery(query: URLSearchParams): EventsQuery {
  const action = readChoice(query, 'action', ACTIONS)
  return {
    page: readCount(query, 'page', 1),
    perPage: readCount(query, 'perPage', 100),
    status: readChoice(query, 'status', STATUSES),
    // Clients know an exit by both names.
    action: action === 'ragequit' ? 'exit' : action,
  }
}

function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new AspRequestError(400, `${name} has to be a whole number from 1 on`)
  return Number(text)
}

/** Case makes no difference. */
function readChoice<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = query.get(name)
  if (text === null) return null
  const choice = choices.find((candidate) => candidate === text.toLowerCase())
  if (choice) return choice
  throw new AspRequestError(400, `${name} has to be one of ${choices.join(', ')}`)
}

/** The `amount` of a query, smallest unit. */
export function readAmount(query: URLSearchParams): bigint {
  const text = query.get('amount') ?? ''
  if (!/^\d{1,78}$/.test(text)) throw new AspRequestError(400, 'amount has to be a decimal number')
  return BigInt(text)
}
