import { createLogger } from '../../logging.ts'
import { connectDatabase } from '../../../db/connect-database.ts'
import { listPendingMigrations } from '../../../db/migrate.ts'
import { pingRedis } from '../../../db/shared-state/ping-redis.ts'
import type { ServiceConfig } from '../../config/config.ts'
import { checkPorts } from '../../http/check-ports.ts'
import { locateServer } from '../open-database.ts'
import { checkChain } from './check-chain.ts'
import { checkDatabase } from './check-database.ts'
import { checkNeighbours } from './check-neighbours.ts'
import { checkNode } from './check-node.ts'
import { checkPrices } from './check-prices.ts'
import { checkSettings } from './check-settings.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

const MARKS = { ok: 'ok   ', warn: 'warn ', error: 'ERROR' } as const

/**
 * Examines settings, database, Redis, nodes, contracts, signers, and the services around. It changes nothing, and prints a line
 * for each thing and one more with what to change.
 *
 * @returns Whether nothing is an error.
 */
export async function diagnose(config: ServiceConfig, print: (line: string) => void): Promise<boolean> {
  const parts = [
    checkSettings(config),
    examinePorts(config),
    examineDatabase(config),
    checkRedis(config.storage.redisUrl),
    ...config.chains.flatMap((chain) => [
      ...chain.rpcUrls.map((url) => checkNode(chain, url)),
      checkChain(chain),
    ]),
    checkPrices(config),
    checkNeighbours(config),
  ]
  const entries: ChartEntry[] = []
  for (const part of parts)
    for (const entry of await part) {
      entries.push(entry)
      print(`${MARKS[entry.level]} ${entry.about}: ${entry.found}`)
      if (entry.change) print(`      ${entry.change}`)
    }
  const count = (level: ChartEntry['level']) => entries.filter((one) => one.level === level).length
  print(`\nerrors: ${count('error')}, warnings: ${count('warn')}, in order: ${count('ok')}`)
  return count('error') === 0
}

async function examineDatabase(config: ServiceConfig): Promise<ChartEntry[]> {
  const chart = openChart('PostgreSQL')
  try {
    const server = await locateServer(config.storage, createLogger({ level: 'silent' }))
    try {
      return await checkServer(config, server.url)
    } finally {
      await server.stop()
    }
  } catch (error) {
    chart.error(`cannot be used: ${(error as Error).message}`, 'Start it, or correct `DATABASE_URL`.')
    return chart.entries
  }
}

/** Reads through the pooler if there is one, as the service does. */
async function checkServer(config: ServiceConfig, sessionUrl: string): Promise<ChartEntry[]> {
  const { databaseUrl = sessionUrl, directUrl } = config.storage
  const isPooled = directUrl !== undefined
  const pool = await connectDatabase(databaseUrl, { maxPoolSize: 2, isPooled, namedStatements: !isPooled })
  try {
    return await checkDatabase(pool, config, await listPendingMigrations(sessionUrl))
  } finally {
    await pool.end()
  }
}

async function examinePorts(config: ServiceConfig): Promise<ChartEntry[]> {
  const { host, port } = config
  const chart = openChart('ports')
  try {
    await checkPorts(config)
    chart.ok('are free')
  } catch (error) {
    if (await isServing(host, port)) chart.ok(`are in use: a service answers on ${port}`)
    else chart.error('cannot be opened', (error as Error).message)
  }
  return chart.entries
}

async function isServing(host: string, port: number): Promise<boolean> {
  const near = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `http://${near.includes(':') ? `[${near}]` : near}:${port}/health/live`
  return fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const PATIENCE_MS = 2_000

async function checkRedis(url: string | undefined): Promise<ChartEntry[]> {
  const chart = openChart('Redis')
  if (url === undefined) {
    chart.ok('is not set: one instance needs none')
    return chart.entries
  }
  try {
    await pingRedis(url)
    chart.ok('answers')
  } catch {
    chart.error(
      'does not answer',
      'Start it, or correct `REDIS_URL`: instances need it to share limits and events.',
    )
  }
  return chart.entries
}
