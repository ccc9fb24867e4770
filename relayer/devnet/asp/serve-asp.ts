import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AspChain } from './asp-chain.ts'
import { answerDeposits, answerEvents, answerLeaves, answerRoots, answerStats } from './answers.ts'
import type { AspPool } from './read-chain.ts'

/** A request that the client has to change. */
class AspRequestError extends Error {
  override name = 'AspRequestError'
  readonly status: 400 | 404 | 405

  constructor(status: 400 | 404 | 405, message: string) {
    super(message)
    this.status = status
  }
}

const ERROR_NAMES = { 400: 'Bad request', 404: 'Not found', 405: 'Method not allowed', 500: 'Internal error' }
const HEADERS = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
}

/** Starts the public ASP protocol of existing clients: GET /{chainId}/public/{topic}. */
export async function serveAsp(chains: readonly AspChain[], port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, HEADERS).end()
    } else {
      const { status, body } = answerSafely(chains, request)
      response.writeHead(status, HEADERS).end(JSON.stringify(body))
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function answerSafely(
  chains: readonly AspChain[],
  request: IncomingMessage,
): { status: number; body: unknown } {
  try {
    return { status: 200, body: answerRequest(chains, request) }
  } catch (error) {
    const status = error instanceof AspRequestError ? error.status : 500
    const message = error instanceof AspRequestError ? error.message : 'The ASP failed to answer'
    return { status, body: { error: ERROR_NAMES[status], message } }
  }
}

function answerRequest(chains: readonly AspChain[], request: IncomingMessage): unknown {
  if (request.method !== 'GET') throw new AspRequestError(405, 'Use GET')
  const url = URL.parse(`http://asp${request.url}`)
  const [, chainId, topic] = /^\/([^/]+)\/public\/([^/]+)\/?$/.exec(url?.pathname ?? '') ?? []
  if (!url || !chainId || !topic) throw new AspRequestError(404, `There is nothing at ${request.url}`)
  const chain = chains.find((candidate) => String(candidate.chainId) === chainId)
  if (!chain) throw new AspRequestError(404, `Chain ${chainId} is not known here`)

  switch (topic) {
    case 'pools-stats':
      return answerStats(chain)
    case 'mt-roots':
      requirePool(chain, request)
      return answerRoots(chain)
    case 'mt-leaves':
      return answerLeaves(chain, requirePool(chain, request))
    case 'events':
      return answerEvents(chain, requirePool(chain, request), readPaging(url.searchParams))
    case 'deposits-by-label':
      return answerDeposits(chain, requirePool(chain, request), readLabels(request))
    default:
      throw new AspRequestError(404, `There is nothing at ${url.pathname}`)
  }
}

function requirePool({ pools }: AspChain, request: IncomingMessage): AspPool {
  const scope = request.headers['x-pool-scope']
  if (typeof scope !== 'string' || scope === '') {
    throw new AspRequestError(400, 'Pool scope is required in X-Pool-Scope header')
  }
  if (!/^\d{1,78}$/.test(scope)) throw new AspRequestError(400, 'X-Pool-Scope has to be a decimal number')
  const pool = pools.find((candidate) => candidate.scope === BigInt(scope))
  if (!pool) throw new AspRequestError(404, `No pool of this chain has the scope ${scope}`)
  return pool
}

function readLabels(request: IncomingMessage): bigint[] {
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

function readPaging(query: URLSearchParams): { page: number; perPage: number } {
  const read = (name: string, fallback: number) => {
    const text = query.get(name)
    if (text === null) return fallback
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new AspRequestError(400, `${name} has to be a whole number from 1 on`)
    return Number(text)
  }
  return { page: read('page', 1), perPage: read('perPage', 100) }
}
