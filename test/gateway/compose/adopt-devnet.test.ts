import { expect, it } from 'vitest'
import { adoptDevnet } from '../../../gateway/compose/adopt-devnet.ts'
import { serviceConfig } from '../../../gateway/config/config.ts'
import { devnetReport } from '../../../gateway/compose/devnet-report.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const key = (digit: string) => `0x${digit.repeat(64)}`
const { settings } = devnetReport.pick({ settings: true }).parse({
  settings: {
    chains: [{ chainId: 31_337, name: 'Devnet', rpcUrls: ['http://127.0.0.1:8545'] }],
    collectibles: [{ chainId: 31_337, contract: address('1') }],
    names: { parent: 'devnet.eth', signerKey: key('1') },
    sourcify: { url: 'http://127.0.0.1:1' },
    prices: {
      sources: [{ kind: 'coingecko', url: 'http://127.0.0.1:2' }],
      refreshMs: 10_000,
      marketRefreshMs: 10_000,
    },
  },
})

it('a service without settings of its own takes all of its devnet', () => {
  const config = adoptDevnet(serviceConfig.parse({ prices: { refreshMs: 5_000 } }), { settings })
  expect(config).toMatchObject({
    ...settings,
    prices: { ...settings.prices, refreshMs: 5_000, maxWatched: 5_000 },
  })
  expect(config.names.ttlSeconds).toBe(60)
})

it("the operator's settings stay beside a devnet", () => {
  const own = serviceConfig.parse({
    collectibles: [],
    names: { parent: 'mine.eth', signerKey: key('2') },
    sourcify: false,
    prices: { sources: [{ kind: 'fixed', prices: [] }] },
  })
  expect(adoptDevnet(own, { settings })).toEqual({ ...own, chains: settings.chains })
})
