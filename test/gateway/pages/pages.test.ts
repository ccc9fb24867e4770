import { describe, expect, it } from 'vitest'
import { formatAge, formatAmount } from '../../../gateway/pages/format.ts'
import { html } from '../../../gateway/pages/html.ts'
import { call } from '../../harness/call.ts'
import { TX_HASH } from '../memory-withdrawals.ts'
import { openGateway } from '../open-gateway.ts'

/** URLs that a page would load by itself. */
function loadedBy(page: string): string[] {
  const tags = page.replaceAll(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '')
  return [...tags.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(
    ([, url]) => url ?? '',
  )
}

describe.each(['/', '/docs', '/graphql'])('the page at %s', (path) => {
  it('loads nothing from other servers', async () => {
    const { url } = await openGateway()
    const page = await call(url + path, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/https?:|\*/)
    const links = loadedBy(page.text)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      expect(link).toMatch(/^(?:\/(?!\/)|data:)/)
      if (link.startsWith('/')) expect([link, (await call(url + link)).status]).toEqual([link, 200])
    }
  })
})

it('the front page shows the running configuration, escaped', async () => {
  const { url, health } = await openGateway()
  const page = (await call(url)).text
  expect(page).toContain('Testnet &#60;one&#62;')
  expect(page).toContain('2.5 ETH')
  expect(page).toContain('812 relays')
  expect(page).toContain(TX_HASH)
  expect(page).toContain('embedded')
  expect(page).toContain('Ready')
  expect(page).not.toContain('request-9')
  Object.assign(health, { ready: false, checks: { chain: { ok: false, detail: 'head is <stale>' } } })
  expect((await call(url)).text).toContain('Not ready · chain: head is &#60;stale&#62;')
})

it('status.json has the same figures with decimal strings and without request ids', async () => {
  const { url } = await openGateway()
  const status = await call(`${url}/status.json`)
  expect(status.json).toMatchObject({
    ready: true,
    parts: { database: 'embedded' },
    ledger: [{ feeReceived: '100000000000000000', gasSpent: '60000000000000000' }],
    lastRelays: [{ txHash: TX_HASH, withdrawn: '1000000000000000000' }],
  })
  expect(status.text).not.toContain('requestId')
})

it('the template escapes text and inserts HTML unchanged', () => {
  expect(html`<p title="${`"><script>'&`}">${[html`<b>${1n}</b>`, null, '<']}</p>`.text).toBe(
    '<p title="&#34;&#62;&#60;script&#62;&#39;&#38;"><b>1</b>&#60;</p>',
  )
})

it('amounts and ages are written in readable form', () => {
  expect(formatAmount(0n, 18)).toBe('0')
  expect(formatAmount(1n, 18)).toBe('<0.000001')
  expect(formatAmount(1_234_567_890_000n, 6)).toBe('1\u2009234\u2009567.89')
  expect(formatAmount(1_999_999_999_999_999_999n, 18)).toBe('1.999999')
  expect([900, 100_000, 7_200_000, 259_200_000].map(formatAge)).toEqual(['1 s', '2 min', '2 h', '3 days'])
})

it('the front page lists pending orders and cash-outs, with alarms on overdue and unseen ones', async () => {
  const order = { originChainId: 1, destinationChainId: 10, ageMs: 7_200_000, fillDeadline: 1_000 }
  const open = { originChainId: 1, destinationChainId: 10 }
  const overview = {
    open: [
      { ...open, status: 'confirmed_source' as const, orders: 30, overdue: 0 },
      { ...open, status: 'expired' as const, orders: 2, overdue: 2 },
    ],
    oldest: [
      { ...order, quoteId: 'old-one', status: 'expired' as const, isOverdue: true },
      { ...order, quoteId: 'new-one', status: 'confirmed_source' as const, isOverdue: false },
    ],
    fills: [{ ...open, fills: 5, medianMs: 2_500 }],
    cash: [
      { chainId: 10, phase: 'matched' as const, orders: 3, unseen: 0, oldestMs: 7_200_000 },
      { chainId: 10, phase: 'depositing' as const, orders: 2, unseen: 1, oldestMs: 900_000 },
    ],
  }
  const { url } = await openGateway({}, {}, { orders: async () => overview })
  const page = (await call(url)).text
  expect(page).toMatch(/2 outlived their\s+deadline/)
  expect(page.indexOf('old-one')).toBeLessThan(page.indexOf('new-one'))
  expect(page).toMatch(/state failed">its refund/)
  expect(page).toMatch(/state broadcast">its fill/)
  expect(page).toMatch(/1 paid the escrow and was\s+not seen there/)
  expect(page).toMatch(/a payment<\/td>\s*<td class="number">3</)
  const status = await call(`${url}/status.json`)
  expect(status.json).toMatchObject({ orders: { oldest: [{ quoteId: 'old-one' }, { quoteId: 'new-one' }] } })
})
