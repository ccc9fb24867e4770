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
  const stack = new IdleStack()
  return { createClient: async () => stack.add(await driver.createClient()) }
}

class IdleStack {
  /** Idle connections, the last released at the end; each belongs to an idle place. */
  readonly #idle: DriverClient[] = []
  readonly #placeOf = new Map<DriverClient, Place>()

  /** Adds a connection. @returns Its place, as the pool sees it. */
  add(client: DriverClient): DriverClient {
    const events: DriverClientEventEmitter = new EventEmitter()
    const place: Place = { client, events }
    this.#placeOf.set(client, place)
    this.#follow(client)
    this.#idle.unshift(client)
    return {
      acquire: () => this.#takeNewest(place),
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
  }

  #takeNewest(place: Place): void {
    const newest = this.#idle.at(-1)
    const other = newest && this.#placeOf.get(newest)
    if (newest && other && other !== place && newest.state() === 'IDLE') {
      other.client = place.client
      place.client = newest
      this.#placeOf.set(other.client, other).set(newest, place)
    }
    this.#forget(place.client)
    place.client.acquire()
  }

  #forget(client: DriverClient): void {
    const at = this.#idle.lastIndexOf(client)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #follow(client: DriverClient): void {
    const eventsOf = () => this.#placeOf.get(client)?.events
    client.on('release', () => {
      this.#idle.push(client)
      eventsOf()?.emit('release')
    })
    client.on('destroy', () => {
      this.#forget(client)
      eventsOf()?.emit('destroy')
      this.#placeOf.delete(client)
    })
    client.on('notice', (notice) => void eventsOf()?.emit('notice', notice))
    client.on('error', (error) => {
      const events = eventsOf()
      // An idle place may have no listener, and an unheard error event would end the process.
      if (events && events.listenerCount('error') > 0) events.emit('error', error)
    })
  }
}
