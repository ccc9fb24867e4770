import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RelayingConfig } from '../../relayer/chain/nodes/config.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'

/** Several instances of the service, each a process of its own. */
export interface Instances {
  /** In the order of their start. */
  list: readonly ServiceProcess[]
  /** Stops them in order, and removes their files. */
  stop(): Promise<void>
}

/** Settings that the instances have in common. */
export interface InstancesOptions {
  count: number
  chains: readonly RelayingConfig[]
  /** Environment: the database and Redis. */
  environment: { DATABASE_URL: string; REDIS_URL: string }
  /** More of the configuration file. */
  settings?: Record<string, unknown>
  /** Environment of the first alone. */
  environmentOfFirst?: Record<string, string>
}

/** Starts instances of the service on one database, one Redis and the same chains. */
export async function startInstances(options: InstancesOptions): Promise<Instances> {
  const { count, chains, environment, environmentOfFirst = {}, settings = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'instances-'))
  const file = join(folder, 'config.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const identity = { masterKeys: [randomBytes(32).toString('hex')] }
  await writeFile(
    file,
    JSON.stringify({ identity, http: { trustedProxies: 1 }, ...settings, chains }, asText),
  )
  const list: ServiceProcess[] = []
  const stop = async () => {
    for (const one of list) await one.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (let index = 0; index < count; index += 1)
      list.push(
        await createServiceProcess({
          ...environment,
          ...(index === 0 && environmentOfFirst),
          DATA_DIR: join(folder, String(index)),
          CONFIG: file,
        }),
      )
    const [first, ...others] = list
    // The first makes the server's keys.
    await first?.start()
    await Promise.all(others.map((service) => service.start()))
    return { list, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
