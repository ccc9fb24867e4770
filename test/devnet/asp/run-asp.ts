import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { openAspChain, type AspChain } from './asp-chain.ts'
import type { AspMessage, AspSettings } from './describe-asp.ts'
import { serveAsp } from './serve-asp.ts'

const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

/** Starts the association set provider, and works for as long as its process lives. */
export async function runAsp(settings: AspSettings, tell: (message: AspMessage) => void): Promise<void> {
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
  await Promise.all(chains.map((chain) => followChain(chain, tell)))
}

async function followChain(chain: AspChain, tell: (message: AspMessage) => void): Promise<never> {
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
