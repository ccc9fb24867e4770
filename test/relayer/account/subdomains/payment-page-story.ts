import { join } from 'node:path'
import {
  decodeAbiParameters,
  getAddress,
  parseEther,
  toHex,
  encodeFunctionData,
  namehash,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { packetToBytes } from 'viem/ens'
import { beforeAll, expect, it } from 'vitest'
import { OFFCHAIN_NAME } from '../../../devnet/deploy/devnet-names.ts'
import { call } from '../../../harness/call.ts'
import { findBarriers } from '../../../harness/find-barriers.ts'
import { findBrowser, openBrowser } from '../../../harness/open-browser.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openAccount } from '../open-account.ts'
import type { openNames } from './open-names.ts'

const program = findBrowser('the payment page in a browser')
const PATIENCE_MS = 150_000
const lookupAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes)',
  'function addr(bytes32 node) view returns (address)',
])

interface World {
  service: TestService
  payer: Awaited<ReturnType<typeof openNames>>['wallet']
  /** Fresh addresses of one network in an hour. */
  shareOfNetwork: number
}

/** Tells the story of `/pay/{name}`, on the service of another file. */
export function tellPaymentPage(readWorld: () => World): void {
  let owner: Awaited<ReturnType<typeof openAccount>>
  beforeAll(async () => {
    owner = await openAccount(readWorld().service.url)
    await owner.send('POST', `${owner.path}/subdomain`, { subdomain: 'carol' })
  })

  const visit = (network: string, query = '', name = 'carol', init: RequestInit = {}) =>
    fetch(`${readWorld().service.url}/pay/${name}${query}`, {
      ...init,
      headers: { 'x-forwarded-for': network, ...(init.headers as Record<string, string>) },
    })
  const addressIn = (page: string) => /<span class="unseen">(0x\w{40})/.exec(page)?.[1] as Address
  const read = async (network: string, query?: string) =>
    addressIn(await (await visit(network, query)).text())

  it('shows a fresh address of the account without scripts, with what to pay and a link for wallets', async () => {
    const answer = await visit('10.9.0.1', '?amount=0.5&token=ETH&chain=31337')
    const page = await answer.text()
    const address = addressIn(page)
    expect(await readWorld().service.services.addresses.owns(owner.accountId, getAddress(address))).toBe(true)
    expect(page).toContain(`href="ethereum:${address}@31337?value=500000000000000000"`)
    expect(page).toContain('Pay 0.5 ETH to')
    expect(page).toContain(`carol.${OFFCHAIN_NAME}`)
    expect(page).toContain('<svg class="qr"')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await read('10.9.0.1')).not.toBe(address)
  })

  it('gives no address to those who do not look, or follow a link that is not right', async () => {
    const { derivationNonce: before } = await readWorld().service.services.addresses.issue(
      owner.accountId,
      'external',
    )
    const answers = await Promise.all([
      visit('10.9.0.2', '', 'carol', { method: 'HEAD' }),
      visit('10.9.0.2', '', 'carol', { headers: { 'sec-purpose': 'prefetch;prerender' } }),
      visit('10.9.0.2', '', 'carol', { headers: { 'sec-fetch-dest': 'image' } }),
      visit('10.9.0.2', '', 'carol', { headers: { 'sec-fetch-dest': 'iframe' } }),
      visit('10.9.0.2', '?amount=lots&chain=31337'),
      visit('10.9.0.2', '?chain=2'),
      visit('10.9.0.2', '?token=NOTHING&chain=31337'),
      visit('10.9.0.2', '', 'nobody-has-this'),
      visit('10.9.0.2', '', `carol.${OFFCHAIN_NAME}.evil`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 400, 400, 400, 404, 404])
    const { derivationNonce } = await readWorld().service.services.addresses.issue(
      owner.accountId,
      'external',
    )
    expect(derivationNonce).toBe(before + 1)
  })

  it('takes from the limits of lookups: a network gets so many addresses by both ways together, then its last one again', async () => {
    const { service, shareOfNetwork } = readWorld()
    const seen = new Set<Address>()
    for (let turn = 0; turn < shareOfNetwork - 1; turn += 1) seen.add(await read('10.9.0.3'))
    expect(seen.size).toBe(shareOfNetwork - 1)
    const name = `carol.${OFFCHAIN_NAME}`
    const asked = encodeFunctionData({ abi: lookupAbi, functionName: 'addr', args: [namehash(name)] })
    const args = [toHex(packetToBytes(name)), asked] as const
    const data = encodeFunctionData({ abi: lookupAbi, functionName: 'resolve', args })
    const { json } = await call(`${service.url}/ccip/${zeroAddress}/${data}.json`, {
      headers: { 'x-forwarded-for': '10.9.0.3' },
    })
    const [result] = decodeAbiParameters([{ type: 'bytes' }], json?.['data'] as Hex)
    const [last] = decodeAbiParameters([{ type: 'address' }], result)
    expect(seen).not.toContain(last)
    expect(await read('10.9.0.3')).toBe(last)
  })

  it('says of no address without its ticket whether it was paid', async () => {
    const { url } = readWorld().service
    const { status } = await fetch(`${url}/pay/carol/events?ticket=${Buffer.alloc(80).toString('base64url')}`)
    expect(status).toBe(404)
  })

  it.runIf(program)('says by itself that a part has arrived, and that all of it has', async () => {
    const { service, payer } = readWorld()
    const browser = await openBrowser(program!)
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
      page.setDefaultTimeout(PATIENCE_MS)
      const faults: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(service.url)) faults.push(request.url())
      })
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(String(error)))
      await page.goto(`${service.url}/pay/carol?amount=0.5&chain=31337`)
      await page.getByText('Waiting for the payment').waitFor()
      const barriers = await findBarriers(page)
      const shoot = async (name: string, width: number, colorScheme: 'light' | 'dark') => {
        const place = process.env['SCREENSHOTS']
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        if (place) await page.screenshot({ path: join(place, `${name}.png`), fullPage: true })
      }
      await shoot('pay-390', 390, 'light')
      const to = (await page.locator('.unseen').innerText()) as Address
      const pay = async (value: bigint) =>
        payer.waitForTransactionReceipt({ hash: await payer.sendTransaction({ to, value }) })
      await pay(parseEther('0.2'))
      await page.getByText('A part has arrived').waitFor()
      await pay(parseEther('0.3'))
      await page.getByText('Paid. You can close this page.').waitFor()
      await page.getByText('0.3 ETH on').waitFor()
      barriers.push(...(await findBarriers(page)))
      await shoot('paid-1280', 1280, 'dark')
      expect(barriers).toEqual([])
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  })
}
