import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeByKey } from '../../../relayer/concurrency/coalesce-runs.ts'
import { connectAcrossChain } from './across-chain.ts'
import { createFiller } from './create-filler.ts'
import { serveAcross } from './serve-across.ts'
import { runFillerCommand } from './run-filler-command.ts'
import type { AcrossMessage, AcrossSettings } from './describe-across.ts'

const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

/** Starts the filler, and works for as long as its process lives. */
export async function runAcross(
  settings: AcrossSettings & { port: number },
  tell: (message: AcrossMessage) => void,
): Promise<void> {
  const { fillerKey, orders, hasOwnClock } = settings
  const chains = settings.chains.map((chain) => connectAcrossChain(chain, { fillerKey, hasOwnClock }))
  const filler = createFiller(chains, orders, { hasOwnClock })
  // The deposit of a command must not be filled meanwhile.
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
          const deposit = await runFillerCommand(across, command)
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
}
