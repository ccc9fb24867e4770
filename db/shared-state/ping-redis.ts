import { createClient } from 'redis'

const PATIENCE_MS = 5_000

/** Asks a Redis server whether it is there, once. @throws Error where it does not answer in time. */
export async function pingRedis(redisUrl: string): Promise<void> {
  const socket = {
    connectTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    reconnectStrategy: false,
  } as const
  const client = createClient({ url: redisUrl, socket })
  // Without a listener an error ends the process; `connect` reports it too.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } finally {
    client.destroy()
  }
}
