import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServiceProcess, type ServiceProcess } from '../../../../../harness/service-process.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { openWalletSender } from '../../../submissions/open-wallet-sender.ts'
import { openBridgedChains, type BridgedChainsOptions } from './open-bridged-chains.ts'
import type { BridgeWorld } from './start-bridge-world.ts'

/** Leases of a killed service expire this fast, instead of after 15 seconds. */
const SHORT_LEASE = { leaseMs: 2_000 }

/** A world whose service runs in a process of its own. */
export interface KillableWorld extends BridgeWorld {
  /** Starts another instance on the same database, and returns its address; it ends with the world. */
  startAnother(): Promise<string>
}

/** The service in a process of its own: `restart` kills it by SIGKILL. */
export async function startKillableWorld({
  confirmations = 0,
  connect,
}: Pick<BridgedChainsOptions, 'confirmations' | 'connect'> = {}): Promise<KillableWorld> {
  const { settings, stop, ...bridged } = await openBridgedChains({
    confirmations,
    ...(connect && { connect }),
    settings: { broadcast: { ...SHORT_LEASE, resendAfterMs: 500 }, indexer: SHORT_LEASE },
  })
  const { database, dataDir, origin } = bridged
  const file = join(dataDir, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  await writeFile(file, JSON.stringify(settings, asText))
  const running = await createServiceProcess({ CONFIG: file })
  const others: ServiceProcess[] = []
  const dispose = async () => {
    for (const one of [running, ...others]) await one.kill()
    await stop()
  }
  try {
    await running.start()
    // The members that tests use of a service in another process.
    const service = { url: running.url, database, config: { chains: settings.chains } } as TestService
    return {
      ...bridged,
      service,
      openSender: () => openWalletSender(service, origin.payer),
      async restart(meanwhile) {
        await running.kill()
        await meanwhile?.()
        await running.start()
      },
      async startAnother() {
        const other = await createServiceProcess({ CONFIG: file })
        others.push(other)
        await other.start()
        return other.url
      },
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}
