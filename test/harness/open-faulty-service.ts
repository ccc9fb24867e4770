import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from '../../db/connect-database.ts'
import { startNodeDoor, type NodeDoor } from '../relayer/chain/broadcast/start-node-door.ts'
import { askNode } from './ask-node.ts'
import { openTestDatabase } from './open-test-database.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'
import { startDoor, type Door } from './start-door.ts'
import { startRedis, type RedisServer } from './start-redis.ts'
import { startTcpDoor, type TcpDoor } from './start-tcp-door.ts'
import { startTestDevnet } from './start-test-devnet.ts'

const SHIFT_CLOCK = fileURLToPath(new URL('shift-clock.mjs', import.meta.url))
/** An address without code, and a host that nobody listens at. */
export const PLACEHOLDER = '0x4000000000000000000000000000000000000004'
const NOWHERE = 'http://127.0.0.1:9'

/** A service of which every part can be made to fail, on one chain of which it has two nodes. */
export interface FaultyService {
  service: ServiceProcess
  chainId: number
  /** Two ways to the one chain, as of two nodes: each cuts, delays or fails requests. */
  doors: readonly [Door, Door]
  /** Behind each of them one that changes answers. */
  liars: readonly [NodeDoor, NodeDoor]
  toDatabase: TcpDoor
  /** Asks the chain itself. */
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>
  mine(blocks?: number): Promise<unknown>
  stopRedis(): Promise<void>
  resumeRedis(): Promise<void>
  /** From now on writes of the indexer find no space on the disk of the database. */
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
  /** Restarts it with its contract and its venue corrected, which are wrong at the start. */
  correct(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts such a service. From the start one contract of its settings has no code, and one venue does not answer.
 *
 * @param redisProgram The program of Redis.
 * @param devnet Settings of the devnet, such as `deterministic`.
 */
export async function openFaultyService(
  redisProgram: string,
  devnet: Parameters<typeof startTestDevnet>[0],
): Promise<FaultyService> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'faults-')), (path) =>
    rm(path, { recursive: true, force: true }),
  )
  const [started, database, world] = await Promise.all([
    startRedis(redisProgram),
    openTestDatabase(),
    startTestDevnet(devnet),
  ])
  let redis: RedisServer = started
  stack.defer(() => redis.stop())
  stack.adopt(database, ({ drop }) => drop())
  stack.use(world)
  const url = new URL(database.url)
  const toDatabase = stack.adopt(await startTcpDoor(url), (door) => door.close())
  url.hostname = '127.0.0.1'
  url.port = String(toDatabase.port)
  const { rpcUrl } = world.chain
  const openLiar = async () => stack.adopt(await startNodeDoor(rpcUrl), (door) => door.close())
  const openDoor = async (target: string) => stack.adopt(await startDoor(target), (door) => door.close())
  const liars = [await openLiar(), await openLiar()] as const
  const doors = [await openDoor(liars[0].url), await openDoor(liars[1].url)] as const
  const [chain] = world.devnet.chains
  const right = {
    ...chain!,
    rpcUrls: doors.map((door) => door.url),
    // So soon do unread pools count as stale.
    staleAfterMs: 8_000,
  }
  const wrong = {
    ...right,
    relayer: { ...right.relayer, multicall: PLACEHOLDER },
    venues: {
      ...right.venues,
      kyberswap: { url: NOWHERE, chain: 'nowhere', router: right.venues.uniswap!.router },
    },
  }
  const file = join(folder, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const configure = (one: object) =>
    writeFile(
      file,
      JSON.stringify({ http: { trustedProxies: 1 }, broadcast: { idleLookMs: 0 }, chains: [one] }, asText),
    )
  await configure(wrong)
  const service = await createServiceProcess({
    CONFIG: file,
    DATABASE_URL: url.href,
    REDIS_URL: redis.url,
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: `--import=${SHIFT_CLOCK}`,
  })
  stack.defer(async () => void (await service.stop()))
  await service.start()
  const ask = <Result>(method: string, ...params: unknown[]) => askNode<Result>(rpcUrl, method, ...params)
  const owned = stack.move()
  return {
    service,
    chainId: chain!.chainId,
    doors,
    liars,
    toDatabase,
    ask,
    mine: (blocks = 1) => ask('anvil_mine', `0x${blocks.toString(16)}`),
    stopRedis: () => redis.stop(),
    async resumeRedis() {
      redis = await startRedis(redisProgram, Number(new URL(redis.url).port))
    },
    async fillDisk() {
      await database.pool.query(sql.typeAlias('void')`
        create function no_space() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
      await database.pool.query(sql.typeAlias('void')`
        create trigger full_disk before update on indexed_chain for each row execute function no_space()`)
    },
    async freeDisk() {
      await database.pool.query(sql.typeAlias('void')`drop trigger full_disk on indexed_chain`)
    },
    async correct() {
      await service.stop()
      await configure(right)
      await service.start()
    },
    close: () => owned.disposeAsync(),
  }
}
