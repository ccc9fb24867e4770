import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeByKey } from '../../concurrency/serialize-by-key.ts'
import { connectAcrossChain } from './across-chain.ts'
import { createFiller } from './create-filler.ts'
import { serveAcross } from './serve-across.ts'
import { takeCommand } from './take-command.ts'
import type { AcrossMessage, AcrossSettings } from './start-across.ts'
import { exitProcess } from '../../concurrency/exit-process.ts'

// A process of its own, as a filler is; it lives and dies with the service that forked it.
const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

const tell = (message: AcrossMessage) => process.send?.(message)
process.on('disconnect', () => exitProcess(0))
// The service decides when to stop: a Ctrl-C in the terminal reaches us as well.
process.on('SIGINT', () => undefined)

const [settings] = (await once(process, 'message')) as [AcrossSettings & { port: number }]
const { fillerKey, orders, hasOwnClock } = settings
const chains = settings.chains.map((chain) => connectAcrossChain(chain, { fillerKey, hasOwnClock }))
const filler = createFiller(chains, orders, { hasOwnClock })
// What a command is about must not be filled meanwhile.
const inTurn = serializeByKey()
const across = { chains, filler, orders }

async function advance(): Promise<void> {
  const before = JSON.stringify(orders)
  for (const chain of chains) await chain.followClock()
  for (const { relay, destinationChainId } of await filler.advance())
    tell({ kind: 'filled', destinationChainId, depositId: String(relay.depositId) })
  if (JSON.stringify(orders) !== before) tell({ kind: 'orders', orders })
}

const server = await serveAcross(
  {
    ...across,
    take: (command) =>
      inTurn('across', async () => {
        const deposit = await takeCommand(across, command)
        tell({ kind: 'orders', orders })
        return deposit
      }),
  },
  settings.port,
)
tell({ kind: 'ready', port: (server.address() as AddressInfo).port })
for (;;) {
  try {
    await inTurn('across', advance)
    await sleep(POLL_MS)
  } catch (error) {
    tell({ kind: 'failure', reason: String(error) })
    await sleep(PAUSE_AFTER_FAILURE_MS)
  }
}
