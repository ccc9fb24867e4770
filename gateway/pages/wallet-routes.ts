import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Hex } from 'viem'
import { z } from 'zod'
import { badRequest, serverBusy } from '../../relayer/errors.ts'
import type { RateLimiter } from '../../schema/define/context.ts'
import { takeFromLimit } from '../../schema/define/limits.ts'
import { HttpError } from '../errors.ts'
import { keepAsset } from '../route/keep-asset.ts'
import { readJson } from '../route/read-json.ts'
import { jsonAnswer, type HttpRequest, type Route } from '../route/route.ts'
import type { WalletSettings } from '../wallet/settings.ts'
import { circuitRoute } from './circuit-route.ts'
import { findRecovery, findWallet } from './find-built.ts'
import { createReadBudget } from './pool-read-budget.ts'
import { streamFile } from './stream-file.ts'

/** The wallet's page as a service offers it. */
export interface WalletPage {
  /** Asked once. */
  readSettings: () => Promise<WalletSettings>
  /** Pays from a rich account of the devnet; null, and without a route, where there is none. */
  pay: ((payment: DevnetPayment) => Promise<{ txHash: string }>) | null
  /** Reads contracts of pools. @throws ServiceError `bad-request` for others. */
  read: (reads: PoolReads) => Promise<readonly Hex[]>
}

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
const devnetPayment = z.strictObject({
  chainId: z.int().positive(),
  /** The zero address is the coin. */
  token: address,
  to: address,
  /** In the smallest unit. */
  amount: z.string().regex(/^[1-9]\d{0,29}$/),
})

/** A payment of worthless money. */
export type DevnetPayment = z.output<typeof devnetPayment>

/** A pool accepts proofs for its last 64 roots: the wallet reads them at once. */
const MOST_READS = 80
/** Of a network in a minute. */
const READS_LIMIT = 600
const poolReads = z.strictObject({
  chainId: z.int().positive(),
  /** A function of one word or none. */
  calls: z
    .array(
      z.strictObject({
        to: address,
        data: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{8}(?:[0-9a-f]{64})?$/)]),
      }),
    )
    .min(1)
    .max(MOST_READS),
})

/** Calls that change nothing, to the contracts of pools. */
export type PoolReads = z.output<typeof poolReads>

/** The page loads and asks nothing but this service, and runs no inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Its policy admits the two workers of the page alone.
  'trusted-types wallet',
].join('; ')

/** A worker has the policy of its own file. This one proves by WebAssembly. */
const PROVER_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
].join('; ')
const PROVER = /^prover-worker-[\w-]+\.js$/

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** Names have a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** `/wallet`: the page, the window of apps, its files, the way out, reads of pools and, on the devnet, the button that pays. */
export function walletRoutes({ readSettings, pay, read }: WalletPage, limiter: RateLimiter): Route[] {
  const keepPage = (openerPolicy: string) =>
    keepAsset(
      async () =>
        writePage(await readFile(join(await findWallet(), 'index.html'), 'utf8'), await readSettings()),
      (plain) => ({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cross-origin-opener-policy': openerPolicy,
        'cache-control': 'no-cache',
        etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      }),
    )
  let files: Promise<Map<string, Route['handle']>> | undefined
  return [
    background('/wallet', 'wallet', servePage(keepPage('same-origin'))),
    // The page of an app opens it as a window, and both send messages to each other.
    background('/wallet/connect', 'wallet-connect', servePage(keepPage('unsafe-none'))),
    background('/wallet/assets/{file}', 'wallet-asset', async (request) => {
      files ??= readFiles().catch((error: unknown) => {
        files = undefined
        throw error
      })
      const serve = (await files).get(request.params['file'] ?? '')
      if (!serve) throw new HttpError(404, 'The wallet has no such file')
      return serve(request)
    }),
    background(
      '/wallet/service-worker.js',
      'wallet-service-worker',
      keepAsset(async () => readFile(join(await findWallet(), 'service-worker.js')), {
        'content-type': 'text/javascript; charset=utf-8',
        'content-security-policy': ["default-src 'none'", "connect-src 'self'"].join('; '),
        'service-worker-allowed': '/wallet',
        'cache-control': 'no-cache',
      }),
    ),
    circuitRoute,
    // A file for the visitor's device: it is no page of this origin.
    background('/wallet/recovery.html', 'wallet-recovery', async () =>
      streamFile(join(await findRecovery(), 'recovery.html'), {
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': 'attachment; filename="wallet-way-out.html"',
        'cache-control': 'no-cache',
      }),
    ),
    readRoute(read, limiter),
    ...(pay ? [payRoute(pay)] : []),
  ]
}

const servePage =
  (page: Route['handle']): Route['handle'] =>
  async (request) => {
    const elsewhere = nameOfLoopback(request)
    if (elsewhere) return { status: 302, headers: { location: elsewhere }, body: null }
    const answer = await page(request)
    const isKnown = request.headers['if-none-match'] === answer.headers?.['etag']
    return isKnown ? { ...answer, status: 304, body: null } : answer
  }

/** Script tags take JSON as it is, except what would end them. */
function writePage(page: string, settings: WalletSettings): Buffer {
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)
  return Buffer.from(page.replace(/(<script type="application\/json" id="settings">)/, (tag) => tag + json))
}

/** A passkey belongs to a name: 127.0.0.1 has none, localhost is one. */
function nameOfLoopback({ headers, url }: HttpRequest): string | null {
  const [, port = ''] = /^(?:127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.exec(headers.host ?? '') ?? [null]
  return /^(?:127\.|\[)/.test(headers.host ?? '') ? `http://localhost${port}${url}` : null
}

async function readFiles(): Promise<Map<string, Route['handle']>> {
  const folder = join(await findWallet(), 'assets')
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.br'))
  return new Map(
    names.map((name) => [
      name,
      keepAsset(
        () => readFile(join(folder, name)),
        {
          'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
          'cache-control': FOR_EVER,
          ...(PROVER.test(name) && { 'content-security-policy': PROVER_POLICY }),
        },
        () => readFile(join(folder, `${name}.br`)),
      ),
    ]),
  )
}

/** The page asks no node: its policy admits this service only. */
function readRoute(read: WalletPage['read'], limiter: RateLimiter): Route {
  const budget = createReadBudget()
  return {
    method: 'POST',
    path: '/wallet/pool-reads',
    name: 'wallet-pool-reads',
    ownOrigin: true,
    async handle(request) {
      const client = { address: request.clientAddress }
      await takeFromLimit({ operation: 'walletPoolReads', limit: READS_LIMIT, client }, { limiter })
      const { data, error } = poolReads.safeParse(await readJson(request, 32_768))
      if (!data) throw badRequest(z.prettifyError(error))
      if (!budget.draw(data.calls.length)) throw serverBusy('Too many pools are being read; try again')
      return jsonAnswer(200, { results: await read(data) })
    },
  }
}

function payRoute(pay: NonNullable<WalletPage['pay']>): Route {
  return {
    method: 'POST',
    path: '/wallet/devnet-payments',
    name: 'wallet-devnet-payment',
    ownOrigin: true,
    async handle(request) {
      const { data, error } = devnetPayment.safeParse(await readJson(request, 1_024))
      if (!data) throw badRequest(z.prettifyError(error))
      return jsonAnswer(200, await pay(data))
    },
  }
}

function background(path: string, name: string, handle: Route['handle']): Route {
  return { method: 'GET', path, name, background: true, handle }
}
