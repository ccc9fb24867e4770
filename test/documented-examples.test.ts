import { randomBytes, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../db/connect-database.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { createMemoryState } from '../db/shared-state/create-memory-state.ts'
import { createProvingPool } from '../proving/create-proving-pool.ts'
import { broadcastConfig } from '../relayer/chain/broadcast/config.ts'
import { createBroadcastEngine } from '../relayer/chain/broadcast/create-broadcast-engine.ts'
import { indexerConfig } from '../relayer/chain/indexer/config.ts'
import { createIndexer } from '../relayer/chain/indexer/create-indexer.ts'
import type { RelayingConfig } from '../relayer/chain/nodes/config.ts'
import { openChain, type OpenChain } from '../relayer/chain/nodes/open-chain.ts'
import { singleFlight, serializeByKey } from '../relayer/concurrency/coalesce-runs.ts'
import { identityConfig } from '../relayer/identity/config.ts'
import { createVault } from '../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../relayer/identity/key-wrapper.ts'
import { openIdentity } from '../relayer/identity/open-identity.ts'
import { openTestDatabase, openEmptyDatabase, type TestDatabase } from './harness/open-test-database.ts'
import { quoteBody } from '../schema/transact/model.ts'
import { readQuoteRequest } from '../schema/transact/kinds/quote-shapes.ts'
import { openPayer } from './harness/chain-actors.ts'
import { startTestDevnet, type TestDevnet } from './harness/start-test-devnet.ts'
import { openSender } from './relayer/transact/quotes/open-sender.ts'
import { startSendingService } from './relayer/transact/quotes/start-sending-service.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const logger = pino({ level: 'silent' })
let database: TestDatabase
let devnet: TestDevnet
let chain: OpenChain<RelayingConfig>

beforeAll(async () => {
  database = await openTestDatabase()
  devnet = await startTestDevnet()
  const [config] = devnet.devnet.chains
  if (!config?.relayer) throw new Error('the devnet has no chain with a relayer')
  chain = openChain({ ...config, relayer: config.relayer, pollIntervalMs: 50 }, logger)
  await chain.start()
})
afterAll(async () => {
  await chain.stop()
  await devnet[Symbol.asyncDispose]()
  await database.drop()
})

test('every @example of a docstring is code that this file runs', () => {
  const ours = linesOf(readFileSync(import.meta.filename, 'utf8')).join('\n')
  const examples = globSync('{relayer,proving,db}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(/^ \* @example\n \* ```ts\n([\s\S]*?)\n \* ```$/gm)].map(
      ([, code]) => ({ file, code: linesOf((code ?? '').replaceAll(/^ \* ?/gm, '')).join('\n') }),
    ),
  )
  expect(examples.length).toBeGreaterThan(7)
  expect(examples.filter(({ code }) => !ours.includes(code))).toEqual([])
})

test('the proving pool recognises the fee commitment that it signed', async () => {
  const privateKey = generatePrivateKey()
  const { address: signer } = privateKeyToAccount(privateKey)
  const message = {
    chainId: 1,
    withdrawalData: '0x' as const,
    asset: zeroAddress,
    expiration: 1n,
    amount: parseEther('1'),
    extraGas: false,
  }

  const proving = await createProvingPool({ threads: 1, commitmentKeys: [privateKey] })
  const signature = await proving.signFeeCommitment({ signer, message })
  const found = await proving.findOwnSigner({ message, signature }) // signer, with its checksum
  await proving.close()

  expect(found).toBe(signer)
})

test('a migrated database answers queries', async () => {
  const empty = await openEmptyDatabase()
  const { url } = empty

  const files = await migrateDatabase(url) // names of the files that were run
  const pool = await connectDatabase(url, { maxPoolSize: 5 })
  await pool.end()

  expect(files.length).toBeGreaterThan(0)
  await empty.drop()
})

test('callers of a single flight share one answer', async () => {
  const asked: string[] = []
  async function readBalance(address: string): Promise<number> {
    asked.push(address)
    return 5
  }

  const readOnce = singleFlight(readBalance)
  const balances = await Promise.all([readOnce('0x01'), readOnce('0x01')]) // one read, two answers

  expect([balances, asked]).toEqual([[5, 5], ['0x01']])
})

test('tasks of one key run one after the other', async () => {
  const account = randomUUID()
  const order: string[] = []
  const first = async () => void order.push('first begins', await Promise.resolve('first ends'))
  const second = async () => void order.push('second')

  const inTurn = serializeByKey()
  await Promise.all([inTurn(account, first), inTurn(account, second)]) // second begins when first has ended

  expect(order).toEqual(['first begins', 'first ends', 'second'])
})

test('a vault opens sealed bytes for their owner only', async () => {
  const masterKey = randomBytes(32)
  const accountId = randomUUID()
  const secret = randomBytes(32)

  const vault = createVault([createKeyWrapper(masterKey)])
  const sealed = await vault.seal(accountId, secret)
  const opened = await vault.open(accountId, sealed) // the bytes of secret
  await vault.open(randomUUID(), sealed).catch((error: Error) => error.name) // 'VaultError'

  expect(Buffer.from(opened)).toEqual(secret)
  await expect(vault.open(randomUUID(), sealed)).rejects.toThrow('belongs to another owner')
})

test('a signed nonce signs in', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const vault = createVault([createKeyWrapper(randomBytes(32))])
  const config = identityConfig.parse({ domains: ['wallet.example'] })
  const parts = { database: database.pool, vault, config, clients: [], logger }
  const about = { chainId: 1, domain: 'wallet.example', uri: 'https://wallet.example', version: '1' } as const

  const { identity, stop } = await openIdentity(parts)
  const nonce = await identity.issueNonce(wallet.address)
  const message = createSiweMessage({ address: wallet.address, nonce, ...about })
  const signature = await wallet.signMessage({ message })
  const { token } = await identity.signIn({ message, signature, authType: undefined })
  const principal = await identity.authenticate(token) // null for a token that is not ours
  stop()

  expect(principal).toMatchObject({ authAddress: wallet.address, accountId: null })
})

test('the broadcast engine sends a transaction that is in its outbox', async () => {
  const { pool, url: databaseUrl } = database
  const chains = new Map([[chain.config.chainId, chain]])
  const call = {
    chainId: chain.config.chainId,
    kind: 'payout',
    reference: randomUUID(),
    to: '0x2000000000000000000000000000000000000002' as const,
    data: '0x' as const,
    value: 1n,
    gasLimit: 21_000n,
  }
  const booked: string[] = []

  const config = broadcastConfig.parse({})
  const engine = createBroadcastEngine({ chains, pool, databaseUrl, logger, config })
  engine.onSettled('payout', async (_transaction, settled) => {
    for (const { outbound, settlement } of settled) booked.push(`${outbound.reference} ${settlement.status}`)
  })
  await engine.start()
  const outboundId = await pool.transaction((transaction) => engine.enqueue(transaction, call))
  engine.wake(call.chainId)
  const { status } = await engine.waitUntilSent(outboundId, AbortSignal.timeout(60_000))
  await engine.stop()

  expect(['sent', 'confirmed']).toContain(status)
})

test('a quote reserves funds until it is unlocked', async () => {
  const service = await startSendingService()
  try {
    const payer = await openPayer(service, 5)
    const { accountId, receive } = await openSender(service, payer)
    await receive(zeroAddress, parseEther('1'))
    const { quotes } = service.services
    const { chainId } = payer.chain
    const [token, destinationAddress] = [zeroAddress, privateKeyToAccount(generatePrivateKey()).address]
    const body = { type: 'send', chainId, token, amount: String(parseEther('0.1')), destinationAddress }
    const request = readQuoteRequest(quoteBody.parse(body))

    const { quoteId, terms, signature } = await quotes.create(accountId, request) // its funds are reserved
    await quotes.unlock(accountId, quoteId) // and free again

    expect([terms['quoteId'], signature]).toEqual([quoteId, expect.stringMatching(/^0x[0-9a-f]{128}$/)])
  } finally {
    await service.stop()
  }
})

test('the indexer follows a chain until it is stopped', async () => {
  const { pool } = database
  const chains = new Map([[chain.config.chainId, chain]])
  const sharedState = createMemoryState(logger)
  const changed = new Set<Address>()

  const config = indexerConfig.parse({})
  const indexer = createIndexer({ chains, pool, sharedState, logger, config })
  const unlisten = indexer.onChanged(({ addresses }) => addresses.forEach((one) => changed.add(one)))
  await indexer.start()
  const [progress] = await indexer.progress() // { chainId, indexedBlock, headBlock, behind, … }
  unlisten()
  await indexer.stop()

  expect(progress?.chainId).toBe(chain.config.chainId)
  await sharedState.close()
})

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
