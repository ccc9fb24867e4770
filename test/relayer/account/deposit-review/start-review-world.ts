import { startService } from '../../../../gateway/compose.ts'
import type { RunningService } from '../../../../gateway/compose/build-service.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import { call } from '../../../harness/call.ts'
import { SHARED_THREADS } from '../../../harness/share-threads.ts'
import { findRedisServer, startRedis, type RedisServer } from '../../../harness/start-redis.ts'
import {
  startDepositWorld,
  type Depositor,
  type DepositWorld,
} from '../../transact/kinds/pool-deposit/start-deposit-world.ts'

/** The fields of an item that the tests check. */
export interface Item {
  address: string
  reviewStatus: string
  statusReason: string | null
  lastReceivedAt: string
  rawReceiveCount: number
  receiveCount: number
  canConvert: boolean
  assets: (Record<string, unknown> & { tokenSymbol: string; convertUnavailableReason: string | null })[]
}

/** The fields of a page that the tests check. */
export interface Page {
  snapshotId: string
  items: Item[]
  counts: Record<string, number>
  pageInfo: { nextCursor: string | null; hasMore: boolean; limit: number }
  unseenNeedsReview: number
}

export interface ReviewWorld extends DepositWorld {
  /** A second instance on the same database, chain and Redis. */
  other: RunningService
  /** A depositor without funds, shared: sign-ins are limited to ten a minute. */
  stranger: Depositor
  /** Null where this machine has none: each instance has snapshots of its own then. */
  redis: RedisServer | null
  /** Every page that the tests have read. */
  pages: Page[]
  /** A page of the review; of the second instance where `url` says so. */
  readReview(owner: Depositor, query?: string, url?: string): Promise<Page>
  /** Asks for the address to be skipped, or not to be any more. */
  skip(
    owner: Depositor,
    address: string,
    body?: { lastReceivedAt: string; rawReceiveCount: number },
  ): Promise<{ status: number; json: unknown }>
}

/** Two instances of the service on a devnet with an association set provider that takes a second. */
export async function startReviewWorld(): Promise<ReviewWorld> {
  const program = findRedisServer('snapshots of the deposit review in two instances')
  const redis = program ? await startRedis(program) : null
  const world = await startDepositWorld({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 1, chainIds: [31_337] },
    ...(redis && { storage: { redisUrl: redis.url } }),
  })
  const { service } = world
  const other = await startService({
    config: { ...service.config, chains: [...service.parts.chains], port: 0 },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  const ask = (owner: Depositor, path: string, options: Parameters<typeof call>[1] = {}, url = service.url) =>
    call(`${url}/v1/accounts/${owner.client.accountId}/deposit-review${path}`, {
      ...options,
      headers: { authorization: `Bearer ${owner.client.token}` },
    })
  const pages: Page[] = []
  return {
    ...world,
    other,
    pages,
    stranger: await world.openDepositor(),
    redis,
    async readReview(owner, query = '', url) {
      const { status, text, json } = await ask(owner, query, {}, url)
      if (status !== 200) throw new Error(text)
      const page = json as unknown as Page
      pages.push(page)
      return page
    },
    async skip(owner, address, body) {
      const path = `/skipped/${address}`
      const { status, json } = await ask(owner, path, body ? { method: 'PUT', body } : { method: 'DELETE' })
      return { status, json }
    },
    async stop() {
      await other.stop()
      await world.stop()
      await redis?.stop()
    },
  }
}
