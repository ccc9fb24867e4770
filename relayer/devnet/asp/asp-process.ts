import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { openAspChain, type AspChain } from './asp-chain.ts'
import type { AspMessage, AspSettings } from './start-asp.ts'
import { serveAsp } from './serve-asp.ts'
import { exitProcess } from '../../concurrency/exit-process.ts'

// A process of its own, as an ASP is; it lives and dies with the service that forked it.
const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

const tell = (message: AspMessage) => process.send?.(message)
process.on('disconnect', () => exitProcess(0))
// The service decides when to stop: a Ctrl-C in the terminal reaches us as well.
process.on('SIGINT', () => undefined)

const [settings] = (await once(process, 'message')) as [AspSettings]
const { postmanKey, declined } = settings
const chains = await Promise.all(
  settings.chains.map((chain) =>
    openAspChain(chain, { postmanKey, declined, delayMs: settings.delaySeconds * 1_000 }),
  ),
)
const decline = (depositor: Address) => {
  for (const { review } of chains) review.decline(depositor)
  tell({ kind: 'declined', depositor })
}
const server = await serveAsp(chains, { port: settings.port, decline })
tell({ kind: 'ready', port: (server.address() as AddressInfo).port })
await Promise.all(chains.map(followChain))

async function followChain(chain: AspChain): Promise<never> {
  for (;;) {
    try {
      const { published } = await chain.advance()
      if (published !== null) tell({ kind: 'published', chainId: chain.chainId, labels: published })
      await sleep(POLL_MS)
    } catch (error) {
      tell({ kind: 'failure', chainId: chain.chainId, reason: String(error) })
      await sleep(PAUSE_AFTER_FAILURE_MS)
    }
  }
}
