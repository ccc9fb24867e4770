import { pino } from 'pino'
import { expect, test } from 'vitest'
import { warnOfMarks, warnOfUnsafeSettings } from '../../../gateway/compose/check-settings.ts'
import { serviceConfig } from '../../../gateway/config/config.ts'
import { chainConfig } from '../../../relayer/chain/nodes/config.ts'

const ADDRESS = '0x1000000000000000000000000000000000000001'
const OTHER = '0x2000000000000000000000000000000000000002'
const [KEY, OTHER_KEY] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`]

/** Reads the warnings that a start logs of a chain with a relayer. */
function readWarnings(relayer: object, feeReceivers: Record<string, string>, more: object = {}): string[] {
  const { relayer: parsed, ...config } = chainConfig.parse({
    chainId: 1,
    name: 'one',
    rpcUrls: ['http://localhost'],
    relayer: {
      entrypoint: ADDRESS,
      maxGasPrice: '1',
      assets: [
        {
          asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
          symbol: 'ETH',
          decimals: 18,
          minWithdrawAmount: '1',
        },
      ],
      signerKeys: [KEY],
      feeReceiverKey: KEY,
      ...relayer,
    },
    sending: { orchestrator: ADDRESS, accountProxy: ADDRESS, accountImplementation: ADDRESS },
    ...more,
  })
  const chain = { config: { ...config, relayer: parsed! } }
  const lines: string[] = []
  const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) })
  warnOfMarks(new Map([[1, { chain, feeReceiver: ADDRESS }]]), feeReceivers, logger)
  return lines
}

test('a start warns when relays and sends share signers or the address of fees', () => {
  const [signers, fees] = [
    'the same signers send relays and sends',
    'fees of relays and of sends go to one address',
  ]
  expect(readWarnings({}, {})).toEqual([signers, fees])
  expect(readWarnings({}, { 1: OTHER })).toEqual([signers])
  expect(readWarnings({ relaySignerKeys: [OTHER_KEY] }, { 1: ADDRESS })).toEqual([fees])
  expect(readWarnings({ relaySignerKeys: [OTHER_KEY] }, { 1: OTHER })).toEqual([])
  expect(readWarnings({}, {}, { isTestnet: true })).toEqual([])
  expect(readWarnings({}, {}, { sending: undefined })).toEqual([])
})

test('a start warns of an address that strangers reach without a proxy, with the change', () => {
  const readUnsafe = (settings: object) => {
    const lines: object[] = []
    const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as object) })
    warnOfUnsafeSettings(serviceConfig.parse({ http: {}, ...settings }), logger)
    return lines
  }
  expect(readUnsafe({ host: '0.0.0.0' })).toEqual([
    expect.objectContaining({
      msg: 'an unsafe setting',
      change: 'Set `http.trustedProxies` to the number of proxies in front.',
    }),
  ])
  expect(readUnsafe({ host: '0.0.0.0', http: { trustedProxies: 1 } })).toEqual([])
  expect(readUnsafe({})).toEqual([])
})
