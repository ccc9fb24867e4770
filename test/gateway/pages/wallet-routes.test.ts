import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { findRecovery, findWallet } from '../../../gateway/pages/find-built.ts'
import type { WalletPage } from '../../../gateway/pages/wallet-routes.ts'
import type { WalletSettings } from '../../../gateway/wallet/settings.ts'
import { CIRCUIT_FILES } from '../../../schema/client/pool/circuit-files.ts'
import { openGateway } from '../open-gateway.ts'

const ORCHESTRATOR = '0x0B306BF915C4d645ff596e518fAf3F9669b97016'
const SETTINGS: WalletSettings = {
  isDevnet: false,
  nameParent: null,
  chains: [
    {
      chainId: 1,
      name: '</script><script>',
      nativeSymbol: 'ETH',
      orchestrator: ORCHESTRATOR,
      accountProxy: ORCHESTRATOR,
    },
  ],
}
const OFFER: WalletPage = {
  readSettings: async () => SETTINGS,
  pay: null,
  read: async ({ calls }) => calls.map(({ data }) => data),
}

const open = async (wallet: WalletPage | null = OFFER) => {
  const { url } = await openGateway({}, {}, { wallet })
  return { url: url.replace('127.0.0.1', 'localhost'), address: url }
}

/** The files that the page loads at once. */
async function listFiles(url: string): Promise<string[]> {
  const page = await (await fetch(`${url}/wallet`)).text()
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
}

const listAssets = async () =>
  (await readdir(join(await findWallet(), 'assets'))).filter((name) => !name.endsWith('.br'))

it('the wallet’s page runs scripts of its own origin only, and asks no other', async () => {
  const { url } = await open()
  const { headers } = await fetch(`${url}/wallet`)
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("worker-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(String(policy)).not.toContain('unsafe')
  for (const path of await listFiles(url)) expect(path).toMatch(/^\/wallet\/assets\//)
})

it('only the window of apps keeps the page that opened it, under the same policy', async () => {
  const { url, address } = await open()
  const [page, window] = await Promise.all([fetch(`${url}/wallet`), fetch(`${url}/wallet/connect`)])
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(window.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  expect(window.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
  expect(await window.text()).toBe(await page.text())
  const { status, headers } = await fetch(`${address}/wallet/connect`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, `${url}/wallet/connect`])
})

it('the contracts come with the page, and their names cannot end its script', async () => {
  const { url } = await open()
  const page = await (await fetch(`${url}/wallet`)).text()
  const [, json = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/.exec(page) ?? []
  expect(JSON.parse(json)).toEqual(SETTINGS)
})

it('a browser stores the wallet’s files for good, and asks whether the page is still the same', async () => {
  const { url } = await open()
  const page = await fetch(`${url}/wallet`)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const again = await fetch(`${url}/wallet`, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  for (const path of await listFiles(url)) {
    const file = await fetch(url + path)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(path).toMatch(/-[\w-]{8}\.\w+$/)
  }
  expect((await fetch(`${url}/wallet/assets/none.js`)).status).toBe(404)
  expect((await fetch(`${url}/wallet/assets/..%2findex.html`)).status).toBe(404)
})

it('the wallet without private money and apps takes at most 200 kB over the network, its first screen 88 kB of them', async () => {
  const { url } = await open()
  const sizeOf = async (path: string) => gzipSync(await (await fetch(url + path)).bytes()).length
  const sum = (lengths: number[]) => lengths.reduce((total, length) => total + length, 0)
  const first = await listFiles(url)
  expect(first.length).toBeGreaterThan(2)
  expect(sum(await Promise.all(first.map(sizeOf)))).toBeLessThan(88_000)
  const all = (await listAssets()).filter(
    (name) => !/^(?:prover-worker|private-money|app-window)-/.test(name),
  )
  expect(all.length).toBeGreaterThan(first.length)
  expect(sum(await Promise.all(all.map((name) => sizeOf(`/wallet/assets/${name}`))))).toBeLessThan(200_000)
})

it('a browser that knows Brotli gets the wallet’s files by it, and a tenth less than by gzip', async () => {
  const { url } = await open()
  const script = (await listFiles(url)).find((path) => path.endsWith('.js')) ?? ''
  const sizeBy = async (encoding: string) => {
    const answer = await fetch(url + script, { method: 'HEAD', headers: { 'accept-encoding': encoding } })
    expect(answer.headers.get('content-encoding')).toBe(encoding.split(',')[0])
    return Number(answer.headers.get('content-length'))
  }
  expect(await sizeBy('br, gzip')).toBeLessThan((await sizeBy('gzip')) * 0.9)
  const unpacked = await (await fetch(url + script, { headers: { 'accept-encoding': 'br' } })).text()
  expect(unpacked).toBe(
    await (await fetch(url + script, { headers: { 'accept-encoding': 'identity' } })).text(),
  )
})

it('only the worker that proves runs WebAssembly, and loads nothing but what this service has', async () => {
  const { url } = await open()
  const workers = (await listAssets()).filter((name) => name.startsWith('prover-worker-'))
  expect(workers).toHaveLength(1)
  const { headers } = await fetch(`${url}/wallet/assets/${workers[0]}`)
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "connect-src 'self'",
  ])
})

it('the service worker may answer for the page, and a browser looks for its news each time', async () => {
  const { url } = await open()
  const { status, headers } = await fetch(`${url}/wallet/service-worker.js`)
  expect(status).toBe(200)
  expect(headers.get('service-worker-allowed')).toBe('/wallet')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
})

it('the files of the circuits are those whose hashes the wallet knows', async () => {
  const { url } = await open()
  for (const { name, bytes, sha256 } of Object.values(CIRCUIT_FILES).flatMap(({ wasm, zkey }) => [
    wasm,
    zkey,
  ])) {
    const answer = await fetch(`${url}/wallet/circuits/${name}?${sha256.slice(0, 16)}`)
    expect(answer.headers.get('content-length')).toBe(String(bytes))
    expect(
      createHash('sha256')
        .update(await answer.bytes())
        .digest('hex'),
    ).toBe(sha256)
  }
  expect((await fetch(`${url}/wallet/circuits/..%2findex.mjs`)).status).toBe(404)
})

it('the way out comes as a file for the visitor’s device, the same as in the sums of its build', async () => {
  const { url } = await open()
  const answer = await fetch(`${url}/wallet/recovery.html`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="wallet-way-out.html"')
  const hash = createHash('sha256')
    .update(await answer.bytes())
    .digest('hex')
  const sums = await readFile(join(await findRecovery(), 'SHA256SUMS'), 'utf8')
  expect(sums.split('\n')).toContain(`${hash}  recovery.html`)
})

it.runIf(existsSync('/proc/self/fd'))('an answer to HEAD opens no file of a circuit', async () => {
  const { url } = await open()
  const { name } = CIRCUIT_FILES.withdraw.zkey
  const ask = async () => (await fetch(`${url}/wallet/circuits/${name}`, { method: 'HEAD' })).status
  for (let count = 0; count < 20; count += 1) expect(await ask()).toBe(200)
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
  )
  expect(links.filter((place) => place.endsWith(name))).toEqual([])
})

it('a network has the nodes read its share of pools, and leaves others theirs', async () => {
  const { url } = await openGateway({ trustedProxies: 1 }, {}, { wallet: OFFER })
  const ask = async (client: string) => {
    const call = { to: ORCHESTRATOR, data: '0x01020304' }
    const answer = await fetch(`${url}/wallet/pool-reads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify({ chainId: 1, calls: Array.from({ length: 80 }, () => call) }),
    })
    return answer.status
  }
  const statuses: number[] = []
  while (statuses.at(-1) !== 503 && statuses.length < 100) statuses.push(await ask('198.51.100.1'))
  expect(statuses.length).toBeGreaterThan(5)
  expect(statuses.at(-1)).toBe(503)
  expect(await ask('198.51.100.2')).toBe(200)
})

it('a page reads functions of at most one word, and not without end', async () => {
  const { url } = await open()
  const ask = (...data: string[]) =>
    fetch(`${url}/wallet/pool-reads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chainId: 1, calls: data.map((one) => ({ to: ORCHESTRATOR, data: one })) }),
    })
  const answer = await ask('0x01020304', `0x01020304${'0'.repeat(64)}`)
  expect(await answer.json()).toEqual({ results: ['0x01020304', `0x01020304${'0'.repeat(64)}`] })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  for (const wrong of ['0x', '0x0102030405', `0x01020304${'0'.repeat(128)}`])
    expect((await ask(wrong)).status).toBe(400)
  expect((await ask(...Array<string>(81).fill('0x01020304'))).status).toBe(400)
})

it('an address without a name leads to localhost, which can have passkeys', async () => {
  const { address, url } = await open()
  const { status, headers } = await fetch(`${address}/wallet`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, `${url}/wallet`])
})

it('no route pays, and no page is served, unless the service offers it', async () => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const payment = JSON.stringify({ chainId: 1, token: ORCHESTRATOR, to: ORCHESTRATOR, amount: '1' })
  const body = { ...asked, body: payment }
  expect((await fetch(`${(await open()).url}/wallet/devnet-payments`, body)).status).toBe(404)
  expect((await fetch(`${(await open(null)).url}/wallet`)).status).toBe(404)
})

it('the devnet’s payments take a well-formed request of the page itself', async () => {
  const paid: unknown[] = []
  onTestFinished(() => void paid.splice(0))
  const { url } = await open({
    ...OFFER,
    pay: async (payment) => {
      paid.push(payment)
      return { txHash: '0x01' }
    },
  })
  const payment = { chainId: 1, token: ORCHESTRATOR, to: ORCHESTRATOR, amount: '1' }
  const ask = (body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${url}/wallet/devnet-payments`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect((await ask({ ...payment, amount: '-1' })).status).toBe(400)
  expect((await ask({ ...payment, to: '0x1' })).status).toBe(400)
  // A form of another page needs no preflight, and cannot send JSON.
  expect((await ask(payment, { 'content-type': 'text/plain' })).status).toBe(400)
  expect(paid).toEqual([])
  const answer = await ask(payment)
  expect([answer.status, await answer.json()]).toEqual([200, { txHash: '0x01' }])
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(paid).toEqual([payment])
})
