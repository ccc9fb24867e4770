import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { insertQueued } from '../../../db/chain/broadcast/outbound-queue.ts'
import { connectDatabase, sql } from '../../../db/connect-database.ts'
import { countDatabaseConnections } from '../../../gateway/config/count-database-connections.ts'
import { broadcastConfig } from '../../../relayer/chain/broadcast/config.ts'
import { addSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import { keepLeases, listKeys } from '../../../relayer/chain/broadcast/signers.ts'
import { lookAtSigners } from '../../../relayer/chain/broadcast/look-at-signers.ts'
import { openOutbox } from '../../../relayer/chain/broadcast/open-outbox.ts'
import { createProgressBoard } from '../../../relayer/chain/broadcast/progress-board.ts'
import { openChain } from '../../../relayer/chain/nodes/open-chain.ts'
import { devnetConfig } from '../../../gateway/config/devnet-config.ts'
import {
  eventually,
  startBroadcastWorld,
  type World,
} from '../../relayer/chain/broadcast/start-broadcast-world.ts'
import { CHAIN_ID, configureChain } from '../../relayer/chain/broadcast/start-engine.ts'
import { startNodeDoor } from '../../relayer/chain/broadcast/start-node-door.ts'

const devnet = devnetConfig.parse({})
const CHAINS = 5
let world: World
afterEach(() => world.stop())

test('chains whose nodes hang leave database connections for everything else', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  const door = await startNodeDoor(world.node.url)
  // One node stands for five chains.
  door.refuse('eth_chainId', { code: -32601, message: 'the method does not exist' })
  const logger = pino({ level: 'silent' })
  const chains = Array.from({ length: CHAINS }, (_, place) =>
    openChain({ ...configureChain({ rpcUrls: [door.url], signers: 1 }), chainId: CHAIN_ID + place }, logger),
  )
  const configs = chains.map(({ config }) => config)
  const maxPoolSize = countDatabaseConnections({ chains: configs, devnet })
  const pool = await connectDatabase(world.databaseUrl, { maxPoolSize })
  const owner = crypto.randomUUID()
  const opened = chains.map((chain) =>
    openOutbox(chain, {
      pool,
      logger,
      config: broadcastConfig.parse({}),
      owner,
      handlers: new Map(),
      reviewers: new Map(),
      board: createProgressBoard(logger),
      now: Date.now,
    }),
  )
  const outboxes = opened.map(({ outbox }) => outbox)
  await Promise.all(chains.map((chain) => chain.start()))
  await addSigners(pool, outboxes.flatMap(listKeys))
  await keepLeases(pool, logger, { owner, leaseMs: 60_000 }, outboxes)
  for (const outbox of outboxes) await (await lookAtSigners(outbox))()

  door.hold('eth_sendRawTransaction')
  for (const [come, { outbox, dispatch }] of [...opened, ...opened].entries()) {
    const id = crypto.randomUUID()
    const call = { to: '0x2000000000000000000000000000000000000002', data: '0x', value: 0n } as const
    const { chainId } = outbox.chain.config
    const row = { id, chainId, kind: 'test', reference: id, ...call, gasLimit: 50_000n }
    await insertQueued(world.pool, row, '')
    await dispatch()
    await eventually(
      async () => door.asked('eth_sendRawTransaction'),
      (asked) => asked > come,
    )
  }
  const waited = await Promise.race([
    pool.query(sql.typeAlias('void')`select`).then(() => 'answered'),
    new Promise((resolve) => setTimeout(resolve, 5_000, 'no connection')),
  ])
  await door.close()
  await Promise.all(opened.map((one) => one.close()))
  await Promise.all(chains.map((chain) => chain.stop()))
  await pool.end()
  expect(waited).toBe('answered')
})

test('connections grow with the chains that send, up to a bound', () => {
  const [sends] = [configureChain({ rpcUrls: ['http://127.0.0.1:1'], signers: 1 })]
  const { relayer: _, ...receives } = sends
  expect(countDatabaseConnections({ chains: [sends, receives], devnet })).toBe(13)
  expect(countDatabaseConnections({ chains: [], devnet })).toBe(16)
  expect(countDatabaseConnections({ chains: Array(50).fill(sends), devnet })).toBe(40)
})
