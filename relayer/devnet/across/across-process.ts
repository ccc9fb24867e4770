import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAcrossChain } from './across-chain.ts'
import { createFiller } from './create-filler.ts'
import { serveAcross } from './serve-across.ts'
import type { AcrossMessage, AcrossSettings } from './start-across.ts'

// A process of its own, as a filler is; it lives and dies with the service that forked it.
const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

const tell = (message: AcrossMessage) => process.send?.(message)
process.on('disconnect', () => process.exit(0))
// The service decides when to stop: a Ctrl-C in the terminal reaches us as well.
process.on('SIGINT', () => undefined)

const [settings] = (await once(process, 'message')) as [AcrossSettings & { port: number }]
const { fillerKey, orders, hasOwnClock } = settings
const chains = settings.chains.map((chain) => connectAcrossChain(chain, fillerKey))
const filler = createFiller(chains, orders, { hasOwnClock })
const server = await serveAcross({ chains, filler, orders }, settings.port)
tell({ kind: 'ready', port: (server.address() as AddressInfo).port })
for (;;) {
  try {
    for (const { relay, destinationChainId } of await filler.advance())
      tell({ kind: 'filled', destinationChainId, depositId: String(relay.depositId) })
    await sleep(POLL_MS)
  } catch (error) {
    tell({ kind: 'failure', reason: String(error) })
    await sleep(PAUSE_AFTER_FAILURE_MS)
  }
}
