import { expect, test } from 'vitest'
import { serviceConfig } from '../../gateway/config/config.ts'
import { describeStart } from '../../gateway/terminal.ts'

const url = 'http://127.0.0.1:4100'
const parts = {
  database: 'as DATABASE_URL says',
  sharedState: 'memory of this process',
  chains: [],
  devnetFile: '/srv/data/devnet.json',
  asp: 'http://127.0.0.1:4101',
  across: 'http://127.0.0.1:4102',
  nameParent: 'pay.example.eth',
}

test('the start message names the sign-in domains, the name gateway and the demo command', () => {
  const config = serviceConfig.parse({
    port: 4_100,
    storage: { dataDir: '/srv/data' },
    identity: { domains: ['app.example'] },
    accounts: { inviteRequired: true },
  })
  const text = describeStart({ url, operatorUrl: url, parts }, config)
  expect(text).toMatch(/sign-in +at app\.example; new accounts with an invite code/)
  expect(text).toContain(`below pay.example.eth, answered at ${url}/ccip`)
  expect(text).toMatch(/^ +PORT=4100 DATA_DIR=\/srv\/data npm run demo /m)
  expect(text).toMatch(/^ +bridge between its chains, filled from http:\/\/127\.0\.0\.1:4102$/m)
  expect(text).toMatch(/^ +npm run admin -- --help /m)
  expect(text).toMatch(/^ +http:\/\/localhost:\d+\/wallet +the wallet/m)
})

test("the start message says where the operator's pages are when they have their own port", () => {
  const config = serviceConfig.parse({})
  expect(describeStart({ url, operatorUrl: url, parts }, config)).not.toContain('public door')
  const text = describeStart({ url, operatorUrl: 'http://127.0.0.1:4001', parts }, config)
  expect(text).toMatch(/operator +\/, \/metrics and \/status\.json are at http:\/\/127\.0\.0\.1:4001,/)
  expect(text).toMatch(/^ +http:\/\/127\.0\.0\.1:4001\/ +status: chains/m)
})

test('without a devnet the start message offers no demo, and without a parent no names', () => {
  const text = describeStart(
    {
      url,
      operatorUrl: url,
      parts: { ...parts, devnetFile: null, asp: null, across: null, nameParent: null },
    },
    serviceConfig.parse({}),
  )
  expect(text).not.toContain('npm run demo')
  expect(text).not.toContain('/wallet')
  expect(text).not.toContain('devnet')
  expect(text).toMatch(/names +none/)
  expect(text).not.toContain('with an invite code')
})
