import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServiceProcess } from '../../../../../harness/service-process.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { openWalletSender } from '../../../submissions/open-wallet-sender.ts'
import { openBridgedChains } from './open-bridged-chains.ts'
import type { BridgeWorld } from './start-bridge-world.ts'

/** Leases of a killed service expire this fast, instead of after 15 seconds. */
const SHORT_LEASE = { leaseMs: 2_000 }

/** The service in a process of its own: `restart` kills it by SIGKILL. */
export async function startKillableWorld({
  confirmations = 0,
}: { confirmations?: number } = {}): Promise<BridgeWorld> {
  const { settings, stop, ...bridged } = await openBridgedChains({
    confirmations,
    settings: { broadcast: { ...SHORT_LEASE, resendAfterMs: 500 }, indexer: SHORT_LEASE },
  })
  const { database, dataDir, origin } = bridged
  const file = join(dataDir, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  await writeFile(file, JSON.stringify(settings, asText))
  const running = await createServiceProcess({ CONFIG: file })
  const dispose = async () => {
    await running.kill()
    await stop()
  }
  try {
    await running.start()
    // What tests use of a service that runs in another process.
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
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}
