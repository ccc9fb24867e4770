import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { erc20Abi, erc721Abi, parseEther, type Address, type PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildRecovery, type RecoveryFile } from '../../../gateway/build/build-recovery.ts'
import { connectWallet } from '../../devnet/wallet/connect-wallet.ts'
import { findBarriers } from '../../harness/find-barriers.ts'
import { fundLostWallet, LOST_PASSWORD, type LostWallet } from '../../harness/fund-lost-wallet.ts'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'

const program = findBrowser('the way out in a browser')
const PATIENCE_MS = 150_000
const ETHER = parseEther('1')
const newAddress = () => privateKeyToAddress(generatePrivateKey())

/** The chain is alive, and no service is. */
let world: TestDevnet
let reader: PublicClient
let folder: string
let files: RecoveryFile[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recovery-test-'))
  ;[world, files] = await Promise.all([startTestDevnet(), buildRecovery(folder)])
  reader = connectWallet(world.chain, generatePrivateKey()).reader
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** All that a lost wallet had, less fees. */
async function expectHome(destination: Address, lost: LostWallet) {
  const { token, collectible, collectibleId } = lost
  const balance = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  expect(await reader.readContract({ ...balance, args: [destination] })).toBe(8_000_000n)
  const owner = { address: collectible, abi: erc721Abi, functionName: 'ownerOf' } as const
  expect(await reader.readContract({ ...owner, args: [collectibleId] })).toBe(destination)
  const coin = await reader.getBalance({ address: destination })
  // The Entrypoint kept its share of the deposit, the network its fees.
  expect(coin).toBeGreaterThan((ETHER * 296n) / 100n)
  expect(coin).toBeLessThan(3n * ETHER)
  for (const nonce of [0, 2]) expect(await reader.getBalance({ address: lost.addressAt(nonce) })).toBe(0n)
}

it('two builds of the way out are equal, byte for byte, wherever they are started', async () => {
  const again = await mkdtemp(join(tmpdir(), 'recovery-test-'))
  try {
    const build = join(import.meta.dirname, '../../../gateway/build/build-recovery.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [build, again], { cwd: tmpdir() })
    const sums = await readFile(join(again, 'SHA256SUMS'), 'utf8')
    expect(sums).toBe(files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))
    expect(stdout).toBe(sums)
  } finally {
    await rm(again, { recursive: true, force: true })
  }
})

it('the program brings home coins, tokens, a collectible, a deposit and a sale, from the backup and a node alone', async () => {
  const lost = await fundLostWallet(world.chain, 701n)
  const destination = newAddress()
  const backup = join(folder, 'backup.json')
  await writeFile(backup, lost.backup)
  const { spendKey, viewKey } = lost.keys
  const recover = (...terms: string[]) =>
    promisify(execFile)(
      process.execPath,
      [join(folder, 'recover.mjs'), '--rpc', world.chain.rpcUrl, ...terms],
      {
        env: {
          PATH: process.env['PATH'],
          RECOVERY_PASSWORD: LOST_PASSWORD,
          RECOVERY_SPEND_KEY: spendKey,
          RECOVERY_VIEW_KEY: viewKey,
        },
      },
    )
  // By the secrets alone nobody knows where the pools are.
  const pools = (entrypoint: Address) =>
    recover('--gap', '3', '--entrypoint', `${world.chain.chainId}:${entrypoint}`)
  await expect(pools(destination)).rejects.toThrow('There is no contract at')
  const wrong = (await pools(world.chain.collectible)).stdout
  expect(wrong).toContain('the Entrypoint has no pool of the coin')
  expect(wrong).not.toContain('in a pool')
  const found = (await pools(world.chain.entrypoint)).stdout
  expect(found).toContain('A false Entrypoint can show money that is not there.')
  expect(found).toMatch(/coin in a pool$/m)
  const { stdout } = await recover('--backup', backup, '--to', destination, '--yes', '--join')
  expect(stdout).toContain('3 of your addresses send to the same place or pay each other’s fees.')
  expect(stdout).toContain('That joins the two as well.')
  await expectHome(destination, lost)
})

it.runIf(program)(
  'the page does the same, asks nobody but the node, and moves nothing before it was agreed to',
  async () => {
    const lost = await fundLostWallet(world.chain, 702n, { entrypoint: undefined })
    const destination = newAddress()
    const browser = await openBrowser(program!)
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
      page.setDefaultTimeout(PATIENCE_MS)
      const asked = new Set<string>()
      const faults: string[] = []
      page.on('request', (request) => asked.add(request.url()))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(String(error)))
      const barriers: string[] = []
      const look = async (name: string) => {
        barriers.push(...(await findBarriers(page)))
        await shoot(page, name)
      }
      const url = pathToFileURL(join(folder, 'recovery.html')).href
      await page.goto(url)
      await look('keys')
      await page.getByLabel('Backup file').setInputFiles({
        name: 'backup.json',
        mimeType: 'application/json',
        buffer: Buffer.from(lost.backup),
      })
      await page.getByLabel('Its password').fill('battery staple')
      await page.getByRole('button', { name: 'Open the backup' }).click()
      await page.getByText('The password does not open this file').waitFor()
      await page.getByLabel('Its password').fill(LOST_PASSWORD)
      await page.getByRole('button', { name: 'Open the backup' }).click()
      await page.getByLabel('Node of Devnet').fill(world.chain.rpcUrl)
      await page.getByText('Pools that this page does not know').click()
      await page.getByText('A false Entrypoint can show money that is not there.').waitFor()
      await page.getByLabel('Entrypoint of Devnet').fill(lost.addressAt(0))
      await look('nodes')
      await page.getByRole('button', { name: 'Look for my money' }).click()
      await page.getByText(`There is no contract at ${lost.addressAt(0)} on Devnet.`).waitFor()
      await page.getByLabel('Entrypoint of Devnet').fill(world.chain.entrypoint)
      await page.getByRole('button', { name: 'Look for my money' }).click()
      await page.getByRole('heading', { name: 'What was found' }).waitFor()
      await page.getByText('The last one that was used is number 151.').waitFor()
      await page.getByLabel('Send everything to').fill(lost.addressAt(0))
      await page.getByRole('button', { name: 'Show what would happen' }).click()
      await page.getByText('This address belongs to the same backup.').waitFor()
      await page.getByLabel('Where it goes').selectOption('An address for each of mine')
      const apart = [0, 2, 150].map((nonce) => [lost.addressAt(nonce), newAddress()] as const)
      for (const [own, to] of apart) await page.getByLabel(`Send what ${own} holds to`).fill(to)
      await look('apart')
      await page.getByRole('button', { name: 'Show what would happen' }).click()
      await page.getByText('No two of them send to the same place.').waitFor()
      await look('review-apart')
      for (const [own] of apart.slice(0, 2))
        await page.getByText(new RegExp(`^Gets what ${own} holds`)).waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByLabel('Send everything to').fill(destination)
      await look('found')
      await page.getByRole('button', { name: 'Show what would happen' }).click()
      await page.getByRole('heading', { name: 'Stays where it is' }).waitFor()
      await look('short')
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByLabel('Send everything to').fill(destination)
      await page.getByLabel('My addresses may pay each other’s fees').check()
      await page.getByRole('button', { name: 'Show what would happen' }).click()
      await page.getByText('That joins the two as well.').waitFor()
      await look('review')
      expect(await reader.getBalance({ address: destination })).toBe(0n)
      expect(await page.getByRole('button', { name: /^Sign and send/ }).isDisabled()).toBe(true)
      await page.getByLabel('I have compared the address, and agree.').check()
      await page.getByRole('button', { name: /^Sign and send/ }).click()
      await page.getByRole('heading', { name: 'All is home' }).waitFor()
      await look('moved')
      await expectHome(destination, lost)
      expect(barriers).toEqual([])
      expect(faults).toEqual([])
      const others = [...asked].filter((one) => !one.startsWith(url) && !one.startsWith(world.chain.rpcUrl))
      expect(others.filter((one) => !one.startsWith('data:'))).toEqual([])
    } finally {
      await browser.close()
    }
  },
)

it('the way out imports the client package and parts of the wallet, and nothing else of the service', () => {
  const place = join(import.meta.dirname, '../../../gateway')
  const own = readdirSync(join(place, 'recovery'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const packages =
    /^(?:node:.*|stealth-relay\/client(?:\/\w+)?|react(?:-dom\/client)?|viem|snarkjs|virtual:.*)$/
  const foreign = own.flatMap((file) =>
    [...readFileSync(join(place, 'recovery', file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)]
      .map(([, from = '']) => from)
      .filter((from) => !packages.test(from))
      .map((from) => join(place, 'recovery', file, '..', from))
      .filter((from) => !/\/(?:recovery|wallet\/parts|wallet\/style\.css)/.test(from)),
  )
  expect(own.length).toBeGreaterThan(10)
  expect(foreign).toEqual([])
})

/** Pictures for people, where they are wanted. */
async function shoot(page: Page, name: string): Promise<void> {
  const place = process.env['SCREENSHOTS']
  if (!place) return
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(place, `${name}-${width}.png`), fullPage: true })
  }
  await page.setViewportSize({ width: 390, height: 844 })
}
