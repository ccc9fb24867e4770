import { createClient } from 'redis'

/** Everything that is sent to a Redis server, as text. */
export interface RedisWatch {
  /** Names, types and values of all keys, and every message until now, in lower case. */
  read(): Promise<string>
  /** How many messages were received. */
  heard(): number
  close(): void
}

/** Subscribes to every channel of a server, and reads all of its keys when asked. */
export async function watchRedis(url: string): Promise<RedisWatch> {
  const client = createClient({ url })
  const listener = client.duplicate()
  for (const one of [client, listener]) one.on('error', () => {})
  await Promise.all([client.connect(), listener.connect()])
  const messages: string[] = []
  await listener.pSubscribe('*', (message, channel) => void messages.push(`${channel} ${message}`))
  return {
    async read() {
      const keys: string[] = []
      for await (const batch of client.scanIterator()) keys.push(...batch)
      const values = await Promise.all(
        keys.map(async (key) => {
          const type = await client.type(key)
          return type === 'string' ? `${key} ${await client.get(key)}` : `${key} of type ${type}`
        }),
      )
      return [...values, ...messages].join('\n').toLowerCase()
    },
    heard: () => messages.length,
    close() {
      client.destroy()
      listener.destroy()
    },
  }
}
