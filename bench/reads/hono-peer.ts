import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { Pool } from 'pg'

/** Requests of one account in a minute, counted as the service does. */
const LIMIT = 1_000_000

const [databaseUrl = '', keysUrl = ''] = [process.env['PEER_DATABASE'], process.env['PEER_KEYS']]
// The service's URL names its socket by the host; pg takes a folder there too.
const url = new URL(databaseUrl.replace(/\?.*$/, ''))
const pool = new Pool({
  host: decodeURIComponent(url.hostname || url.host),
  port: Number(url.port),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
  max: 10,
})
const keys = createLocalJWKSet((await (await fetch(keysUrl)).json()) as JSONWebKeySet)
const counts = new Map<string, number>()

/**
 * Serves the same answer from the same tables: token, its account, the minute's limit, and one statement each for account
 * and contacts.
 */
const app = new Hono().get('/v1/accounts/:accountId/address-book', async (context) => {
  const token = context.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
  const verified = await jwtVerify(token, keys).catch(() => null)
  const subject = verified?.payload.sub
  if (!subject) return context.json({ error: 'Unauthorized' }, 401)
  const used = (counts.get(subject) ?? 0) + 1
  counts.set(subject, used)
  if (used > LIMIT) return context.json({ error: 'Too Many Requests' }, 429)
  const accountId = context.req.param('accountId')
  const { rows: owners } = await pool.query<{ id: string }>({
    name: 'owner',
    text: 'select id from account where auth_address = $1',
    values: [subject],
  })
  if (owners[0]?.id !== accountId) return context.json({ error: 'Forbidden' }, 403)
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'contacts',
    text: `select address, name, last_used_at as "lastUsedAt", created_at as "createdAt", updated_at as "updatedAt"
      from contact where account_id = $1 order by last_used_at desc nulls last, created_at desc, address`,
    values: [accountId],
  })
  return context.json({ entries: rows })
})

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.send?.({ port, cpuMs: 0 })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ port: 0, cpuMs: (user + system) / 1_000 })
})
process.on('disconnect', () => server.close())
