import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Address } from 'viem'
import { CommandError } from '../commands/command-error.ts'
import type { AspChain } from './asp-chain.ts'
import { answerDeposits, answerEvents, answerGlobalEvents, answerLeaves, answerRoots } from './answers.ts'
import { readDecline } from './read-decline.ts'
import { AspRequestError, readAmount, readEventsQuery, readLabels, requirePool } from './read-request.ts'
import { answerDepositsLargerThan, answerPoolStatistics, answerStats } from './statistics.ts'

const ERROR_NAMES = { 400: 'Bad request', 404: 'Not found', 405: 'Method not allowed', 500: 'Internal error' }
const JSON_ALONE = { 'content-type': 'application/json' }
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const HEADERS = {
  ...JSON_ALONE,
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
}

/** What is served. */
export interface ServedAsp {
  /** 0 for any. */
  port: number
  /** Declines the deposits of a depositor from now on. */
  decline: (depositor: Address) => void
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** Explains to people which deposits are approved. */
const POLICY = '/policy'
const POLICY_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Policy of the devnet ASP</title>
<h1>Policy of the devnet ASP</h1>
<p>Every deposit is approved after a few seconds, except those of depositors that the devnet's settings or a command decline.</p>
<p>A deposit that is declined later leaves the set of approved deposits. Its depositor can take it back by a ragequit.</p>
<p>This provider is for tests. Its money is worth nothing, and it checks nothing else.</p></html>
`

/** The path of commands; browsers may not send any. */
const COMMANDS = '/commands'

/**
 * Starts the public ASP protocol of existing clients: GET /{chainId}/public/{topic}, /global/public/events, and
 * /health/liveness, which some ask for by chain. GET /policy is a page for people. POST /commands declines a depositor.
 */
export async function serveAsp(chains: readonly AspChain[], { port, decline }: ServedAsp): Promise<Server> {
  const server = createServer((request, response) => {
    void answerSafely(chains, decline, request).then(({ status, headers = HEADERS, body }) => {
      const text = body === undefined || headers === HTML ? body : JSON.stringify(body)
      response.writeHead(status, headers).end(text)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function answerSafely(
  chains: readonly AspChain[],
  decline: ServedAsp['decline'],
  request: IncomingMessage,
): Promise<Answer> {
  const headers = request.url === COMMANDS ? JSON_ALONE : HEADERS
  try {
    if (request.method === 'OPTIONS' && headers === HEADERS) return { status: 204 }
    if (request.method === 'GET' && request.url === POLICY)
      return { status: 200, headers: HTML, body: POLICY_PAGE }
    if (request.method !== 'POST' || headers === HEADERS)
      return { status: 200, body: answerRequest(chains, request) }
    const depositor = await readDecline(request)
    decline(depositor)
    return { status: 200, headers, body: { command: 'decline', depositor } }
  } catch (error) {
    const isExplained = error instanceof AspRequestError || error instanceof CommandError
    const status = error instanceof AspRequestError ? error.status : isExplained ? 400 : 500
    const message = isExplained ? error.message : 'The ASP failed to answer'
    return { status, headers, body: { error: ERROR_NAMES[status], message } }
  }
}

function answerRequest(chains: readonly AspChain[], request: IncomingMessage): unknown {
  if (request.method !== 'GET') throw new AspRequestError(405, 'Use GET')
  const url = URL.parse(`http://asp${request.url}`)
  const path = url?.pathname ?? ''
  if (isLiveness(chains, path)) return { status: 'ok' }
  const [, chainId, topic] = /^\/([^/]+)\/public\/([^/]+)\/?$/.exec(path) ?? []
  if (!url || !chainId || !topic) throw new AspRequestError(404, `There is nothing at ${request.url}`)
  if (chainId === 'global' && topic === 'events')
    return answerGlobalEvents(chains, readEventsQuery(url.searchParams))
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
      return answerEvents(chain, requirePool(chain, request), readEventsQuery(url.searchParams))
    case 'pool-statistics':
      return answerPoolStatistics(chain, requirePool(chain, request))
    case 'deposits-larger-than':
      return answerDepositsLargerThan(chain, requirePool(chain, request), readAmount(url.searchParams))
    case 'deposits-by-label':
      return answerDeposits(chain, requirePool(chain, request), readLabels(request))
    default:
      throw new AspRequestError(404, `There is nothing at ${url.pathname}`)
  }
}

const isLiveness = (chains: readonly AspChain[], path: string): boolean =>
  path === '/health/liveness' || chains.some(({ chainId }) => path === `/${chainId}/health/liveness`)
