import type { Logger } from 'pino'
import { createPgDriverFactory } from '@slonik/pg-driver'
import type { Driver, DriverClient, DriverFactory } from 'slonik'
import { openFirst, READ_ONLY } from './database-servers.ts'

/** SQLSTATE of a write on a read-only server. */
const READ_ONLY_TRANSACTION = '25006'

/**
 * Creates slonik's driver for several servers, of which one is writable at a time. Each new connection goes to that
 * one. A connection whose server became read-only is not used again.
 */
export function createPrimaryDriver(servers: readonly string[], logger: Logger | undefined): DriverFactory {
  const create = createPgDriverFactory()
  return async ({ driverConfiguration }) => {
    const drivers = new Map<string, Promise<Driver>>()
    let current = 0
    let isWaiting = false

    /** Created at first use, because creation reads the server's types. */
    function driverOf(connectionUri: string): Promise<Driver> {
      const known = drivers.get(connectionUri)
      if (known) return known
      const made = create({ driverConfiguration: { ...driverConfiguration, connectionUri } })
      drivers.set(connectionUri, made)
      made.catch(() => drivers.delete(connectionUri))
      return made
    }

    async function openAt(server: string): Promise<DriverClient> {
      const client = await (await driverOf(server)).createClient()
      client.acquire()
      const { rows } = await client.query(READ_ONLY)
      if (rows[0]?.['transaction_read_only'] !== 'off') {
        await client.destroy()
        throw new Error('it takes no writes')
      }
      await client.release()
      return leaveReadOnly(client)
    }

    const driver: Driver = {
      async createClient() {
        try {
          const { opened, place } = await openFirst(servers, openAt, current)
          if (isWaiting || place !== current)
            logger?.warn({ server: new URL(servers[place]!).host }, 'a database server takes writes')
          current = place
          isWaiting = false
          return opened
        } catch (error) {
          if (!isWaiting) logger?.error({ err: error }, 'waiting for a database server that takes writes')
          isWaiting = true
          throw error
        }
      },
    }
    // As with a single server, opening a pool fails when no server is writable.
    await (await driver.createClient()).destroy()
    return driver
  }
}

/** Wraps a connection so that its release closes it once its server has refused a write. */
function leaveReadOnly(client: DriverClient): DriverClient {
  let isReadOnly = false
  return {
    ...client,
    async query(...args) {
      try {
        return await client.query(...args)
      } catch (error) {
        isReadOnly ||= (error as { code?: unknown }).code === READ_ONLY_TRANSACTION
        throw error
      }
    },
    release: () => (isReadOnly ? client.destroy() : client.release()),
  }
}
