import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STANDING_ALARMS } from '../alarms.ts'
import { HttpError } from '../errors.ts'
import { buildOpenApi } from '../../schema/openapi/build-openapi.ts'
import { operations } from '../../schema/features.ts'
import { keepAsset } from '../route/keep-asset.ts'
import { jsonAnswer, type Route } from '../route/route.ts'
import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'
import type { OrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import type { Usage } from '../../relayer/transact/usage/usage.ts'
import type { RaisedAlarm } from '../observation/alarm-board.ts'
import type { Health } from '../observation/health-routes.ts'
import { keepRecent } from '../observation/keep-recent.ts'
import type { ReadOverview } from '../observation/recent-overview.ts'
import { runbookPage } from './alarm-section.ts'
import { apiReferencePage } from './api-reference-page.ts'
import { frontPage } from './front-page.ts'
import { readScalarScript } from './read-scalar-script.ts'
import { buildReferenceDocument, PICTURES } from './reference-document.ts'
import { streamFile } from './stream-file.ts'

/** Pages load from this service only. The API reference sets styles on its elements, which needs inline styles. */
const policy = (style: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const pageHeaders = (style: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy(style),
})

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const readOwn = (name: string) => () => readFile(join(import.meta.dirname, 'assets', name))
const readReference = async () =>
  Buffer.from(JSON.stringify(await buildReferenceDocument(buildOpenApi(operations))))

const ASSETS = [
  { path: '/assets/front-page.css', type: STYLE, read: readOwn('front-page.css') },
  { path: '/assets/front-page.js', type: SCRIPT, read: readOwn('front-page.js') },
  { path: '/assets/payment-page.css', type: STYLE, read: readOwn('payment-page.css') },
  { path: '/assets/payment-page.js', type: SCRIPT, read: readOwn('payment-page.js') },
  { path: '/assets/icon.svg', type: 'image/svg+xml', read: readOwn('icon.svg') },
  { path: '/docs/api-reference.css', type: STYLE, read: readOwn('api-reference.css') },
  { path: '/docs/api-reference.js', type: SCRIPT, read: readOwn('api-reference.js') },
  { path: '/docs/scalar.js', type: SCRIPT, read: readScalarScript },
  { path: '/docs/reference.json', type: 'application/json', read: readReference },
]

export interface PageOptions {
  overview: ReadOverview
  health: () => Promise<Health>
  /** The alarms that stand, the worst first. */
  alarms: () => readonly RaisedAlarm[]
  describe: () => unknown
  indexing: () => Promise<readonly IndexProgress[]>
  usage: () => Promise<Usage | null>
  orders: () => Promise<OrdersOverview | null>
  /** The status is written at most once per this many milliseconds. */
  maxAgeMs: number
  /** Whether the API is on the same port, so that the front page may link to it. */
  withApi: boolean
  /** Whether the wallet is on the same port. */
  withWallet: boolean
}

/** The API reference, and the files of all pages. */
export function publicPageRoutes(): Route[] {
  return [
    background(
      '/docs',
      'api-reference',
      keepAsset(async () => Buffer.from(apiReferencePage().text), pageHeaders("'self' 'unsafe-inline'")),
    ),
    ...ASSETS.map(({ path, read, type }) =>
      background(
        path,
        'asset',
        keepAsset(read, { 'content-type': type, 'cache-control': 'public, max-age=3600' }),
      ),
    ),
    background('/docs/pictures/{name}', 'asset', async ({ params: { name = '' } }) => {
      const folder = join(import.meta.dirname, '../..', PICTURES)
      if (!(await readdir(folder)).includes(name)) throw new HttpError(404, 'There is no such picture')
      return streamFile(join(folder, name), {
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=3600',
      })
    }),
  ]
}

/** `/` for visitors if the front page is for the operator only: it shows the API reference. */
export function publicFrontRoute(): Route {
  return background('/', 'front-page', async () => ({
    status: 302,
    headers: { location: '/docs' },
    body: null,
  }))
}

/**
 * The front page, and the status for programs. Both are for the operator only, because single payments can be seen in
 * their figures.
 */
export function operatorPageRoutes(options: PageOptions): Route[] {
  const { health, describe, maxAgeMs, withApi, withWallet } = options
  const readAll = async () => {
    const [overview, checked, indexing, usage, orders] = await Promise.all([
      options.overview(),
      health(),
      options.indexing(),
      options.usage(),
      options.orders(),
    ])
    return { overview, health: checked, alarms: options.alarms(), indexing, usage, orders }
  }
  const status = keepRecent(async () => {
    const { overview: figures, health: checked, alarms, indexing, usage, orders } = await readAll()
    // Hashes and amounts only: a requestId belongs to its client.
    const lastRelays = figures.lastRelays.map((relay) => ({ ...relay, requestId: undefined }))
    return jsonAnswer(
      200,
      plain({
        ...checked,
        alarms: alarms.map(describeAlarm),
        parts: describe(),
        ...figures,
        lastRelays,
        indexing,
        ...usage,
        orders,
      }),
    )
  }, maxAgeMs)
  return [
    background('/', 'front-page', async (request) => {
      const shown = { ...(await readAll()), parts: linesOf(describe()) }
      const host = withApi ? (request.headers.host ?? 'localhost') : null
      return {
        status: 200,
        headers: pageHeaders("'self'"),
        body: frontPage({ ...shown, host, withWallet, now: Date.now() }).text,
      }
    }),
    background('/status.json', 'status', status),
    background('/alarms', 'runbook', async () => ({
      status: 200,
      headers: pageHeaders("'self'"),
      body: runbookPage().text,
    })),
  ]
}

/** An alarm with its words, for programs. */
const describeAlarm = (alarm: RaisedAlarm) => {
  const { message, hurts, action } = STANDING_ALARMS[alarm.code]
  return { ...alarm, message, hurts, action, runbook: `/alarms#${alarm.code}` }
}

function background(path: string, name: string, handle: Route['handle']): Route {
  return { method: 'GET', path, name, background: true, handle }
}

/** Amounts as decimal strings, as everywhere on the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  )
}

/** The members of a description that are text or numbers. */
function linesOf(description: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(description ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}
