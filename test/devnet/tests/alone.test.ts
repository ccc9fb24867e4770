import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { askNode } from '../../harness/ask-node.ts'
import { inheritedEnvironment } from '../../harness/inherited-environment.ts'
import { resumeServiceChains } from '../../harness/resume-service-chains.ts'
import { readDescription } from '../devnet-description.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))
let dataDir: string

beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'devnet-alone-'))))
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Runs the devnet without a service, and collects its output. */
function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    env: {
      ...inheritedEnvironment(),
      DATA_DIR: dataDir,
      DEVNET_PORTS: '0',
      DEVNET_CHAIN_IDS: '31337',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, ended: once(child, 'close'), output: () => output }
}

it('a devnet alone prints the configuration with which a service uses it, and ends with its chains', async () => {
  await resumeServiceChains(dataDir, { chainIds: [31_337] })
  const { child, ended, output } = start({})
  await expect.poll(output).toMatch(/CONFIG=\S+ npm start\n/)
  const [, file = ''] = /CONFIG=(\S+) npm start/.exec(output()) ?? []
  const [chain] = (await readDescription(dataDir)).chains
  const config = loadConfig({ CONFIG: file }, () => undefined)
  expect(config.chains).toMatchObject([{ chainId: 31_337, rpcUrls: [chain?.rpcUrl] }])
  expect(config.prices.sources).toHaveLength(1)
  expect(await askNode(chain!.rpcUrl, 'eth_chainId')).toBe('0x7a69')
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  await expect(askNode(chain!.rpcUrl, 'eth_chainId')).rejects.toThrow()
})

it('a devnet alone reports faults of its settings in words', async () => {
  const { ended, output } = start({ ASP_DELAY_SECONDS: 'soon' })
  expect(await ended).toEqual([1, null])
  expect(output()).toMatch(/^The devnet did not start: .*ASP_DELAY_SECONDS/s)
  expect(output()).not.toMatch(/\n\s+at /)
})
