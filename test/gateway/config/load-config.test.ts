import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../../gateway/config/config-error.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { redact } from '../../../gateway/config/redact-config.ts'
import { runCli } from '../../harness/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function write(content: unknown): string {
  const file = join(folder, `${(files += 1)}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const KEY = `0x${'11'.repeat(32)}`
const receiving = {
  chainId: 1,
  name: 'Somewhere',
  rpcUrls: ['https://rpc.example/v2/provider-key'],
}
const relayer = {
  entrypoint: '0x6818809EefCe719E480a7526D76bD3e561526b46',
  maxGasPrice: '60000000000',
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
}
const chain = { ...receiving, relayer }
/** The chain with changed members of its relayer. */
const withRelayer = (change: object) => ({ ...receiving, relayer: { ...relayer, ...change } })

function complaint(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('the configuration was accepted')
}

describe('loadConfig', () => {
  test('never shows part of a mistyped key', () => {
    const key = 'ab'.repeat(32)
    const mistyped = {
      ...withRelayer({ signerKeys: [KEY, key.slice(1)] }),
      rpcUrls: [`rpc.example/v2/${key}`],
    }
    const refused = complaint({ CONFIG: write({ chains: [mistyped] }) })
    expect(refused).toContain('chains[0].relayer.signerKeys[1] is "[redacted]"')
    expect(refused).toContain('chains[0].rpcUrls[0] is "[redacted]"')
    const unreadable = [
      complaint({ CONFIG: write(`{"signerKeys": [0x${key}]}`) }),
      complaint({ CONFIG: write(`{"password": ${key}}`) }),
      complaint({ CONFIG: write(`{"password": '${key}'}`) }),
      complaint({ CONFIG: write(key) }),
    ]
    for (const text of unreadable) expect(text).toContain('cannot be read as JSON: ')
    expect(unreadable[1]).toContain('Unexpected token')
    for (const text of [refused, ...unreadable]) expect(text).not.toContain('abab')
  })

  test('returns the defaults when nothing is set', () => {
    expect(loadConfig({})).toMatchObject({
      port: 4_000,
      host: '127.0.0.1',
      chains: [],
      storage: { dataDir: '.data' },
    })
  })

  test('prefers the environment over the file', () => {
    const CONFIG = write({ port: 5_000, logLevel: 'warn', chains: [chain] })
    expect(loadConfig({ CONFIG })).toMatchObject({ port: 5_000, logLevel: 'warn' })
    expect(loadConfig({ CONFIG, PORT: '6000' })).toMatchObject({ port: 6_000, logLevel: 'warn' })
  })

  test('turns amounts into bigint and addresses into checksummed form', () => {
    const CONFIG = write({ chains: [withRelayer({ entrypoint: relayer.entrypoint.toLowerCase() })] })
    const [read] = loadConfig({ CONFIG }).chains
    expect(read?.relayer?.maxGasPrice).toBe(60_000_000_000n)
    expect(read?.relayer?.entrypoint).toBe(relayer.entrypoint)
  })

  test('accepts keys in the environment or in a file', () => {
    const key = write(`${KEY}\n`)
    const CONFIG = write({ chains: [withRelayer({ signerKeys: [{ $env: 'K' }, { $file: key }] })] })
    expect(loadConfig({ CONFIG, K: KEY }).chains[0]?.relayer?.signerKeys).toEqual([KEY, KEY])
    expect(complaint({ CONFIG })).toMatch(
      'chains[0].relayer.signerKeys[0] takes its value from the environment, but K is not set',
    )
  })

  test.each([
    [{ PORT: 'abc' }, ['PORT is "abc"', 'number', 'the variable PORT']],
    [{ PORT: '70000' }, ['PORT is 70000', '65535']],
    [{ LOG_LEVEL: 'loud' }, ['LOG_LEVEL is "loud"', '"info"']],
    [{ DATABASE_URL: 'mysql://u:secret@h/d' }, ['DATABASE_URL', 'postgres://']],
    [{ REDIS_URL: 'nonsense' }, ['REDIS_URL', 'redis://']],
    [{ ASP_DELAY_SECONDS: '-1' }, ['ASP_DELAY_SECONDS']],
    [{ DEVNET_CHAIN_IDS: '1,1' }, ['DEVNET_CHAIN_IDS', 'names an id twice']],
    [{ DEVNET_PORTS: '8545,x' }, ['DEVNET_PORTS is "x"']],
    [{ CONFIG: '/nowhere/config.json' }, ['CONFIG names /nowhere/config.json', 'cannot be read']],
  ])('refuses %o by name and says how to correct it', (env, parts) => {
    const message = complaint(env)
    for (const part of parts) expect(message).toContain(part)
  })

  test.each([
    [
      { chains: [withRelayer({ entrypoint: '0x12' })] },
      'chains[0].relayer.entrypoint is "0x12": is not an address',
    ],
    [{ chains: [withRelayer({ maxGasPrice: '1.5' })] }, 'chains[0].relayer.maxGasPrice'],
    [{ chains: [chain, chain] }, 'names a chainId twice'],
    [{ chains: [{ ...chain, rpcUrls: [] }] }, 'chains[0].rpcUrls'],
    [{ chains: [{ ...chain, colour: 'red' }] }, 'colour'],
    [{ chians: [] }, 'chians'],
    [
      {
        chains: [
          withRelayer({
            assets: [{ ...relayer.assets[0], asset: '0x6818809EefCe719E480a7526D76bD3e561526b46' }],
          }),
        ],
      },
      'without a price',
    ],
  ])('refuses a bad member of the file by its path (%#)', (content, part) => {
    const CONFIG = write(content)
    expect(complaint({ CONFIG })).toContain(part)
  })

  test('never shows a key in its errors', () => {
    const CONFIG = write({ chains: [withRelayer({ feeReceiverKey: `${KEY}00` })] })
    const message = complaint({ CONFIG })
    expect(message).toContain('chains[0].relayer.feeReceiverKey')
    expect(message).not.toContain('1111')
  })
})

test("redact hides keys, passwords and the paths of RPC providers' URLs, and nothing else", () => {
  const shown = JSON.stringify(
    redact(
      loadConfig({ CONFIG: write({ chains: [chain] }), DATABASE_URL: 'postgres://u:hunter2@db:5432/relay' }),
    ),
  )
  expect(shown).not.toMatch(/1111|hunter2|provider-key/)
  expect(shown).toContain('https://rpc.example/[redacted]')
  expect(shown).toContain('postgres://[redacted]@db:5432/relay')
  expect(shown).toContain('60000000000')
})

test.each([
  'https://rpc.example/v3/provider-key',
  'https://rpc.example/?apikey=provider-key',
  'https://rpc.example?apikey=provider-key',
  'https://rpc.example/#provider-key',
  'https://provider-key@rpc.example/',
  'wss://rpc.example/ws/provider-key',
  'ipc://rpc.example/provider-key',
  'rpc.example:8545/provider-key',
  'rpc.example/provider-key',
  'unix:/provider-key',
])('no key in an RPC address is shown, wherever it stands: %s', (url) => {
  expect(JSON.stringify(redact({ rpcUrls: [url], nested: { traceUrl: url } }))).not.toContain('provider-key')
  const refused = complaint({ CONFIG: write({ chains: [{ ...chain, rpcUrls: [url], colour: 'red' }] }) })
  expect(refused).not.toContain('provider-key')
})

test('the program ends with code 1 on a bad value, and prints the configuration without secrets when asked', async () => {
  const refused = await runCli('gateway/start.mjs', [], { PORT: 'abc' })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('PORT is "abc"')
  const shown = await runCli('gateway/start.mjs', ['--print-config'], {
    PORT: '4100',
    CONFIG: write({ chains: [chain] }),
  })
  expect(shown.code).toBe(0)
  expect(JSON.parse(shown.stdout)).toMatchObject({ port: 4_100 })
  expect(shown.stdout).not.toContain('1111')
})

test('a fee receiver may be a remote signer, a sender of transactions may not', () => {
  const remote = { remote: 'https://signer.example/path-secret', address: `0x${'ab'.repeat(20)}` }
  const CONFIG = write({
    chains: [withRelayer({ feeReceiverKey: { ...remote, authorization: 'Bearer hunter2' } })],
  })
  const config = loadConfig({ CONFIG })
  expect(config.chains[0]?.relayer?.feeReceiverKey).toEqual({
    remote: remote.remote,
    address: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
    method: 'eth_signTypedData_v4',
    timeoutMs: 1_000,
    authorization: 'Bearer hunter2',
  })
  expect(JSON.stringify(redact(config))).not.toMatch(/hunter2|path-secret/)
  // As `openssl rand -hex 32` prints it.
  const bare = loadConfig({ CONFIG: write({ chains: [withRelayer({ signerKeys: ['22'.repeat(32)] })] }) })
  expect(bare.chains[0]?.relayer?.signerKeys).toEqual([`0x${'22'.repeat(32)}`])
  const bad = (change: object) => complaint({ CONFIG: write({ chains: [withRelayer(change)] }) })
  expect(bad({ signerKeys: [remote] })).toContain('chains[0].relayer.signerKeys[0]')
  for (const change of [
    { remote: 'ftp://signer.example' },
    { address: '0x12' },
    { method: 'eth_sign' },
    { retries: 9 },
  ])
    expect(bad({ feeReceiverKey: { ...remote, ...change } })).toContain('chains[0].relayer.feeReceiverKey')
  expect(bad({ feeReceiverKey: 7 })).toContain('is neither a private key')
  expect(bad({ feeReceiverKey: { ...remote, authorization: 31_337_000 } })).not.toContain('31337000')
  expect(redact({ authorization: 'Bearer hunter2' })).toEqual({ authorization: '[redacted]' })
})
