import { EventEmitter } from 'node:events'
import { createPgDriverFactory } from '@slonik/pg-driver'
import type { DriverClient, DriverClientEventEmitter, DriverFactory } from 'slonik'

/** What slonik's pool takes for a connection. */
interface Place {
  client: DriverClient
  readonly events: DriverClientEventEmitter
}

/**
 * Creates a driver whose idle connections are used newest first. slonik takes them in turn, so that a quiet service spreads its
 * statements over all of them, and each server process plans every statement for itself.
 * Each connection of the pool is a place here: when one is taken, it gets the connection that was given back last.
 */
export const createStackedDriver = (): DriverFactory => async (options) => {
  const driver = await createPgDriverFactory()(options)
  /** Connections without work, the one that was given back last at the end; each is at a place without work. */
  const idle: DriverClient[] = []
  const placeOf = new Map<DriverClient, Place>()

  function takeNewest(place: Place): void {
    const newest = idle.at(-1)
    const other = newest && placeOf.get(newest)
    if (newest && other && other !== place && newest.state() === 'IDLE') {
      other.client = place.client
      place.client = newest
      placeOf.set(other.client, other).set(newest, place)
    }
    forget(place.client)
    place.client.acquire()
  }

  function forget(client: DriverClient): void {
    const at = idle.lastIndexOf(client)
    if (at >= 0) idle.splice(at, 1)
  }

  function follow(client: DriverClient): void {
    client.on('release', () => {
      idle.push(client)
      placeOf.get(client)?.events.emit('release')
    })
    client.on('destroy', () => {
      forget(client)
      placeOf.get(client)?.events.emit('destroy')
      placeOf.delete(client)
    })
    client.on('notice', (notice) => void placeOf.get(client)?.events.emit('notice', notice))
    client.on('error', (error) => {
      const events = placeOf.get(client)?.events
      // Nobody listens at a place without work, and an error that nobody hears would end the process.
      if (events && events.listenerCount('error') > 0) events.emit('error', error)
    })
  }

  return {
    async createClient() {
      const client = await driver.createClient()
      const events: DriverClientEventEmitter = new EventEmitter()
      const place: Place = { client, events }
      placeOf.set(client, place)
      follow(client)
      idle.unshift(client)
      return {
        acquire: () => takeNewest(place),
        destroy: () => place.client.destroy(),
        id: () => place.client.id(),
        off: events.off.bind(events),
        on: events.on.bind(events),
        query: (...query) => place.client.query(...query),
        release: () => place.client.release(),
        removeListener: events.removeListener.bind(events),
        state: () => place.client.state(),
        stream: (...query) => place.client.stream(...query),
      }
    },
  }
}
