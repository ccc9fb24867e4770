import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resumeServiceChains } from '../../../harness/resume-service-chains.ts'
import { createServiceProcess, VECTOR_DEVNET, type ServiceProcess } from '../../../harness/service-process.ts'
import { createWallet } from '../../identity/wallet.ts'
import { openAccount, signIn, textOf } from '../open-account.ts'

let dataDir: string
let service: ServiceProcess | undefined
afterAll(async () => {
  await service?.stop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

test('a kill while addresses are issued leaves no gap and loses no answered address', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'address-kill-'))
  const CONFIG = join(dataDir, 'config.json')
  // One client asks as often as many would.
  const http = { maxConnectionsPerClient: 2_000, maxInFlightPerClient: 2_000 }
  await writeFile(CONFIG, JSON.stringify({ http, devnet: { asp: false, cash: false } }))
  await resumeServiceChains(dataDir)
  service = await createServiceProcess({ DATA_DIR: dataDir, CONFIG, ...VECTOR_DEVNET })
  const { url, kill, start } = service
  await start()
  const wallet = createWallet()
  const owner = await openAccount(url, wallet)
  const told = new Set<string>()
  const KILL_AFTER = 150
  let killed: Promise<void> | undefined
  const asked = Array.from({ length: 600 }, async () => {
    const answer = await owner.send('POST', `${owner.path}/payment-address`, {})
    told.add(textOf(answer, 'address'))
    if (told.size === KILL_AFTER) killed = kill()
  })
  const outcomes = await Promise.allSettled(asked)
  await killed
  expect(told.size).toBeGreaterThanOrEqual(KILL_AFTER)
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)

  await start()
  const again = await signIn(url, wallet)
  const known: { address: string; nonce: number }[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await again.get(`${owner.path}/addresses?limit=500${cursor && `&cursor=${cursor}`}`)
    const page = JSON.parse(answer.text)
    known.push(...page.items)
    cursor = page.nextCursor
  }
  expect(known.map(({ nonce }) => nonce)).toEqual(known.map((_, index) => index))
  const addresses = new Set(known.map(({ address }) => address))
  expect([...told].filter((address) => !addresses.has(address))).toEqual([])
  const next = await again.send('POST', `${owner.path}/payment-address`, {})
  expect(next.json).toMatchObject({ nonce: String(known.length), reused: false })
})
