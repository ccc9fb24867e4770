import { EventEmitter } from 'node:events'
import { createPgDriverFactory } from '@slonik/pg-driver'
import type { DriverClient, DriverClientEventEmitter, DriverFactory } from 'slonik'

/** A connection as slonik's pool sees it. */
interface Place {
  client: DriverClient
  readonly events: DriverClientEventEmitter
}

/**
 * Creates a driver that uses idle connections newest first. Each connection of the pool is a place here: when acquired,
 * it gets the connection that was released last. By itself slonik rotates the connections. A quiet service then spreads
 * its statements over all of them, and each server process plans every statement for itself.
 */
export const createStackedDriver = (): DriverFactory => async (options) => {
  const driver = await createPgDriverFactory()(options)
  /** Idle connections, the last released at the end; each belongs to an idle place. */
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
      // An idle place may have no listener, and an unheard error event would end the process.
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
