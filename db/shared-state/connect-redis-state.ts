import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import { checkTtl, type SharedState, type RateCounter, type RatePolicy } from './shared-state.ts'
import { createTopicListeners } from './topic-listeners.ts'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createMemoryCounter } from './create-memory-state.ts'

/** Time that a caller waits for Redis before it goes on without it. */
const PATIENCE_MS = 1_000

/**
 * Connects the shared state of several instances in Redis. If the server is away, at start or later, it reconnects in
 * the background; callers go on without it meanwhile (see `SharedState`).
 */
export async function connectRedisState(redisUrl: string, logger: Logger): Promise<SharedState> {
  const client = createRedisClient(redisUrl)
  const subscriber = client.duplicate()
  // Channels, unlike keys, are common to all databases of a server.
  const prefix = `stealth-relay:${client.options.database ?? 0}:`
  const topics = createTopicListeners(logger)
  // Without a listener an error ends the process. The alarm REDIS_DOWN reports outages.
  client.on('error', () => {})
  subscriber.on('error', () => {})

  const subscription = keepSubscribed(
    subscriber,
    () =>
      subscriber.pSubscribe(`${prefix}*`, (message, channel) =>
        topics.dispatch(channel.slice(prefix.length), message),
      ),
    logger,
  )
  const opened = Promise.all([client.connect(), subscription.first, subscriber.connect()])
  await withinPatience(opened).catch((error: unknown) =>
    logger.warn({ reason: reasonOf(error) }, 'starting without Redis for now'),
  )

  return {
    async get(key) {
      return withinPatience(client.get(prefix + key)).catch(() => null)
    },
    async set(key, value, ttlMs) {
      checkTtl(ttlMs)
      await withinPatience(
        client.set(prefix + key, value, { expiration: { type: 'PX', value: ttlMs } }),
      ).catch(() => {})
    },
    async delete(key) {
      await withinPatience(client.del(prefix + key)).catch(() => {})
    },
    async publish(topic, message) {
      await withinPatience(client.publish(prefix + topic, message)).catch((error: unknown) => {
        // Listeners in this process are called even without Redis.
        topics.dispatch(topic, message)
        // The alarm REDIS_DOWN says it once. Topics are not logged: they name notes, requests and accounts.
        logger.debug({ err: error }, 'a message reaches this instance only: Redis is away')
      })
    },
    async subscribe(topic, listener) {
      const remove = topics.add(topic, listener)
      return async () => remove()
    },
    mayBeHeard: () => true,
    rateCounter: (policy) => createRedisCounter(client, `${prefix}rate:`, policy, withinPatience),
    healthy: async () => subscription.isOpen() && subscriber.isReady && (await answers(client.ping())),
    describe: () => `Redis at ${new URL(redisUrl).host}`,
    async close() {
      client.destroy()
      subscriber.destroy()
    },
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const createRedisClient = (redisUrl: string) =>
  createClient({
    url: redisUrl,
    // Otherwise commands wait as long as the server is away.
    disableOfflineQueue: true,
    // A reachable but silent server counts as lost; the client reconnects.
    pingInterval: 2_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 5_000,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 2_000),
    },
  })

/** Subscribes when a connection opens. After the first time, the client itself renews the subscription with each one. */
function keepSubscribed(connection: EventEmitter, subscribe: () => Promise<void>, logger: Logger) {
  let subscribed = false
  async function listen(): Promise<void> {
    if (subscribed) return
    await subscribe()
    subscribed = true
  }
  const first = new Promise<void>((resolve) => {
    connection.on('ready', () => {
      listen().then(resolve, (error: unknown) => logger.warn({ err: error }, 'Redis refused to send events'))
    })
  })
  return { first, isOpen: () => subscribed }
}

const answers = (answer: Promise<unknown>) =>
  withinPatience(answer).then(
    () => true,
    () => false,
  )

async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  })
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

/**
 * Counts by key in Redis, and in memory while Redis does not answer.
 * @param client A client of the package redis.
 */
function createRedisCounter(
  client: object,
  prefix: string,
  { name, points, seconds }: RatePolicy,
  withinPatience: <Answer>(answer: Promise<Answer>) => Promise<Answer>,
): RateCounter {
  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: prefix + name,
    points,
    duration: seconds,
  })
  // The library's own insurance neither bounds its memory nor replaces a server that hangs.
  const insurance = createMemoryCounter(seconds)

  return {
    async take(key, points = 1) {
      try {
        const { consumedPoints, msBeforeNext } = await withinPatience(
          limiter.consume(key, points).catch((refused: unknown) => {
            if (refused instanceof RateLimiterRes) return refused
            throw refused
          }),
        )
        return { taken: consumedPoints, resetMs: msBeforeNext }
      } catch {
        return insurance.take(key, points)
      }
    },
  }
}
