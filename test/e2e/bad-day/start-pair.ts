import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMeasuredEnv } from '../../../bench/reads/measure-crowd.ts'
import type { RelayingConfig } from '../../../relayer/chain/nodes/config.ts'
import type { ServiceProcess } from '../../harness/service-process.ts'
import { startInstances } from '../../harness/start-instances.ts'
import { startTestService } from '../../harness/start-service.ts'

export interface PairOptions {
  chains: readonly RelayingConfig[]
  databaseUrl: string
  redisUrl: string
}

/** Memory of a process once its garbage was collected, in MiB. */
export interface Memory {
  inUse: number
  rss: number
}

/** Two instances of the service. */
export interface Pair {
  urls: readonly string[]
  /** Kills the second, and starts it again; null where they are no processes of their own. */
  kill: (() => Promise<void>) | null
  /** Logged lines about faults of the service itself. */
  faults(): string[]
  /** Of the first; null likewise. */
  readMemory: (() => Promise<Memory>) | null
  stop(): Promise<void>
}

const SETTINGS = {
  broadcast: { leaseMs: 2_000 },
  indexer: { leaseMs: 2_000, timeoutMs: 10_000, concedeAfterMs: 5_000 },
  feeWaivers: { waiverDays: 0 },
}

const faultsIn = (output: string) =>
  output.split('\n').filter((line) => line.includes('a request failed unexpectedly'))

/** Starts them in this process, which has loaded the service already. */
export async function startPairHere({ chains, databaseUrl, redisUrl }: PairOptions): Promise<Pair> {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const identity = { masterKeys: [randomBytes(32).toString('hex')] }
  let output = ''
  const log = { write: (line: string) => void (output += line) }
  const start = () =>
    startTestService(
      {
        ...SETTINGS,
        chains: JSON.parse(JSON.stringify(chains, asText)),
        identity,
        logLevel: 'error',
        http: { trustedProxies: 1 },
        storage: { databaseUrl, redisUrl },
      },
      { log },
    )
  const services = [await start()]
  const stop = async () => {
    for (const service of services) await service.stop()
  }
  try {
    services.push(await start())
    const urls = services.map(({ url }) => url)
    return { urls, kill: null, faults: () => faultsIn(output), readMemory: null, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts them as processes of their own. */
export async function startPairApart({ chains, databaseUrl, redisUrl }: PairOptions): Promise<Pair> {
  const measured = await openMeasuredEnv()
  const { list, stop } = await startInstances({
    count: 2,
    chains,
    environment: { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    environmentOfFirst: measured,
    settings: SETTINGS,
  })
  let ofKilled = ''
  return {
    urls: list.map(({ url }) => url),
    faults: () => faultsIn([ofKilled, ...list.map((service) => service.output())].join('\n')),
    async kill() {
      const killed = list[1]!
      await killed.kill()
      await sleep(1_000)
      // The last output may come after the process ends; a start forgets earlier output.
      ofKilled += killed.output()
      await startAgain(killed, () => (ofKilled += killed.output()))
    },
    async readMemory() {
      const answer = await fetch(`http://127.0.0.1:${measured.GARBAGE_PORT}`)
      const { rss, heapUsed, external } = (await answer.json()) as NodeJS.MemoryUsage
      return { inUse: Math.round((heapUsed + external) / 2 ** 20), rss: Math.round(rss / 2 ** 20) }
    },
    stop,
  }
}

/** As a supervisor does: on a busy machine the first try may find no database in time. */
async function startAgain(service: ServiceProcess, failed: () => void): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await service.start()
    } catch (error) {
      failed()
      if (tries === 5) throw error
    }
}
