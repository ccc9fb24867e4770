import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, size } from 'viem'
import { mnemonicToAccount, generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planContracts } from '../../../gateway/admin/deploy/plan-contracts.ts'
import { checkChain } from '../../../gateway/admin/doctor/check-chain.ts'
import { parseCommand } from '../../../gateway/admin/run-command.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { loadPublishedContracts } from '../../devnet/deploy/published-contracts.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { startNode, type Node } from '../../relayer/chain/broadcast/start-node.ts'

/** The chain of the node has the id of Base. */
const CHAIN_ID = 8453
/** An account to which anvil gives coins. */
const DEPLOYER = mnemonicToAccount('test test test test test test test test test test test junk')
const DEPLOY_KEY = `0x${Buffer.from(DEPLOYER.getHdKey().privateKey!).toString('hex')}`

/** The contract of OP-stack chains that says what data costs, and code that answers 1,000 wei to every call. */
const L1_ORACLE = '0x420000000000000000000000000000000000000F'
const ANSWERS_1000 = '0x6103e860005260206000f3'

let node: Node
let folder: string
beforeAll(async () => {
  node = await startNode('--chain-id', String(CHAIN_ID))
  await node.ask('anvil_setCode', L1_ORACLE, ANSWERS_1000)
  folder = await mkdtemp(join(tmpdir(), 'deploy-'))
})
afterAll(async () => {
  await node?.stop()
  await rm(folder, { recursive: true, force: true })
})

const countBlocks = async () => Number(await node.ask<string>('eth_blockNumber'))

/** A configuration whose chain is the node, and whose keys are elsewhere. */
async function writeConfig(): Promise<Record<string, string>> {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  const chain = {
    preset: 'base',
    rpcUrls: [node.url],
    relayer: {
      entrypoint: '0x6818809EefCe719E480a7526D76bD3e561526b46',
      assets: [
        {
          asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
          symbol: 'ETH',
          decimals: 18,
          minWithdrawAmount: '1',
        },
      ],
      signerKeys: [{ $env: 'SIGNER_KEY' }],
      feeReceiverKey: { $env: 'SIGNER_KEY' },
      maxGasPrice: '60000000000',
    },
  }
  await writeFile(file, JSON.stringify({ names: NAMES, chains: [chain] }))
  return { CONFIG: file, SIGNER_KEY: generatePrivateKey(), NAME_KEY: generatePrivateKey() }
}

const NAMES = { parent: 'pay.example', signerKey: { $env: 'NAME_KEY' } }

async function deploy(env: Record<string, string>, ...words: string[]): Promise<string> {
  const lines: string[] = []
  const command = parseCommand(['deploy', ...words])
  if (command.usesDatabase) throw new Error('deploy needs no database')
  await command.run({ config: loadConfig(env), env, print: (line) => void lines.push(line) })
  return lines.join('\n')
}

it('the code to deploy is what the packages publish', async () => {
  const published = await loadPublishedContracts()
  const { devDependencies: versions } = manifest
  const porto = `porto@${versions.porto} (MIT)`
  const resolver = `@ensdomains/offchain-resolver-contracts@${versions['@ensdomains/offchain-resolver-contracts']} (MIT)`
  const contracts = {
    Orchestrator: { origin: porto, code: published.Orchestrator.bytecode },
    IthacaAccount: { origin: porto, code: published.IntentAccount.bytecode },
    EIP7702Proxy: { origin: porto, code: published.IntentAccountProxy.bytecode },
    Simulator: { origin: porto, code: published.IntentSimulator.bytecode },
    OffchainResolver: { origin: resolver, code: published.OffchainResolver.bytecode },
  }
  // `npx vitest run test/gateway/admin/deploy.test.ts --update` writes it after an update of a package.
  await expect(`${JSON.stringify(contracts, null, 2)}\n`).toMatchFileSnapshot(
    '../../../gateway/admin/deploy/contracts.json',
  )
})

it('a dry run shows addresses, origins and cost, and sends nothing', async () => {
  const before = await countBlocks()
  const text = await deploy(await writeConfig(), String(CHAIN_ID))
  const plan = planContracts(null)
  for (const { name, address, codeHash, data } of Object.values(plan)) {
    expect(text).toMatch(new RegExp(`${name} +${address} {2}to create, \\d+ gas`))
    expect(text).toContain(codeHash)
    expect(size(data)).toBeLessThan(49_152)
  }
  expect(text).toMatch(
    /At most \d+ gas, at [\d.]+ gwei 0\.\d+ ETH, 0\.000000000000005 of it for data\nNothing was sent/,
  )
  expect(await countBlocks()).toBe(before)
})

it('the contracts for sending, the guard and the resolver of names are created once, verified, and put into the settings', async () => {
  const env: Record<string, string> = { ...(await writeConfig()), DEPLOY_KEY }
  const words = [String(CHAIN_ID), '--resolver', 'https://app.example', '--send', 'yes', '--write', 'yes']
  const text = await deploy(env, ...words)
  expect(text.match(/^created \w+ \(0x\w{64}\)$/gm)).toHaveLength(6)
  expect(text).toContain('All contracts are there')

  const [chain] = loadConfig(env).chains
  const { sending, venues } = chain!
  const plan = planContracts(null)
  expect(sending).toEqual({
    orchestrator: plan.orchestrator.address,
    accountProxy: plan.accountProxy.address,
    accountImplementation: plan.accountImplementation.address,
    simulator: plan.simulator.address,
  })
  expect(venues.outputGuard).toBe(plan.outputGuard.address)
  expect(await readFile(env['CONFIG']!, 'utf8')).not.toContain(env['SIGNER_KEY'])
  const findings = await checkChain(chain!)
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'ok', found: 'has contracts for sending that belong together' }),
  )

  const blocks = await countBlocks()
  expect(await deploy(env, ...words)).not.toContain('created')
  expect(await countBlocks()).toBe(blocks)
})

it('contracts that do not belong together are named by the doctor', async () => {
  const env: Record<string, string> = { ...(await writeConfig()), DEPLOY_KEY }
  await deploy(env, String(CHAIN_ID), '--send', 'yes', '--write', 'yes')
  const [chain] = loadConfig(env).chains
  const { simulator, orchestrator, accountImplementation } = chain!.sending!
  const check = async (sending: object) =>
    (await checkChain({ ...chain!, sending: { ...chain!.sending!, ...sending } })).flatMap(
      ({ level, found }) => (level === 'error' && found.includes('`sending.') ? [found] : []),
    )
  expect(await check({})).toEqual([])
  expect(await check({ orchestrator: simulator })).toEqual([
    expect.stringMatching('`sending.accountImplementation` trusts the orchestrator'),
  ])
  expect(await check({ accountProxy: orchestrator })).toEqual([
    '`sending.accountProxy` is no proxy of accounts',
  ])
  expect(await check({ accountImplementation: simulator })).toEqual([
    "`sending.accountImplementation` is no account's code of this chain",
    `\`sending.accountProxy\` runs the code at ${accountImplementation}, not \`sending.accountImplementation\``,
  ])
})

it('a deployment without key, funds or the right chain is refused before anything is sent', async () => {
  const env = await writeConfig()
  const before = await countBlocks()
  await expect(deploy(env, String(CHAIN_ID), '--send', 'yes')).rejects.toThrow('DEPLOY_KEY is missing')
  await expect(deploy(env, '1')).rejects.toThrow('no chain 1')
  await expect(deploy(env, '1', '--rpc', node.url)).rejects.toThrow(`serves chain ${CHAIN_ID}, not 1`)
  const other = await startNode('--chain-id', '10')
  try {
    const CONFIG = join(folder, 'no-oracle.json')
    await writeFile(CONFIG, JSON.stringify({ chains: [{ preset: 'optimism', rpcUrls: [other.url] }] }))
    const [chain] = loadConfig({ CONFIG }).chains
    await expect(deploy({ CONFIG }, '10')).rejects.toThrow(`no contract at ${L1_ORACLE}, although \`l1Fee\``)
    expect(await checkChain(chain!)).toContainEqual(
      expect.objectContaining({ level: 'error', found: expect.stringContaining(L1_ORACLE) as unknown }),
    )
    const poor = { ...env, DEPLOY_KEY: generatePrivateKey() }
    await expect(deploy(poor, '10', '--rpc', other.url, '--send', 'yes')).rejects.toThrow('send it more')
  } finally {
    await other.stop()
  }
  expect(await countBlocks()).toBe(before)
})

it('the addresses are the same for everybody', () => {
  const plan = planContracts({
    origin: 'https://app.example',
    signer: '0x1000000000000000000000000000000000000001',
  })
  expect(Object.values(plan).map(({ name, address }) => `${name} ${address}`)).toMatchInlineSnapshot(`
    [
      "Orchestrator 0xaCf4eC3C4e57e4f239Bd1C6c3be931A708c28F57",
      "IthacaAccount 0x7ecBAcE4bFF3d84E609B1763f382536f9203dab2",
      "EIP7702Proxy 0xC7e8f101A6eac1a7e4ab857EaCaB3ae66b0F306d",
      "Simulator 0x2ee2963a09E607C94fEA7f1F14665aA378953B80",
      "OutputGuard 0x1D715b6278d863E419Cb424e6753d1b738BD3477",
      "OffchainResolver 0x4C8AA011F2C3323BC3e5aAFA7B0953de183a311C",
    ]
  `)
  expect(plan.outputGuard.codeHash).toBe(keccak256(`0x${plan.outputGuard.data.slice(66)}`))
})
