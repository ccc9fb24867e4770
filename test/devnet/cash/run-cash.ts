import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serializeByKey } from '../../../relayer/concurrency/coalesce-runs.ts'
import { connectCashChain } from './cash-chain.ts'
import { createBuyers } from './create-buyers.ts'
import { serveCash } from './serve-cash.ts'
import type { CashMessage, CashSettings } from './describe-cash.ts'
import { runCashCommand } from './run-cash-command.ts'

const POLL_MS = 250
const PAUSE_AFTER_FAILURE_MS = 1_000

/** Starts buyers and curator, and works for as long as their process lives. */
export async function runCash(
  settings: CashSettings & { port: number },
  tell: (message: CashMessage) => void,
): Promise<void> {
  const { keys, buyerKeys, orders, payees } = settings
  const chains = settings.chains.map((chain) => connectCashChain(chain, buyerKeys))
  const buyers = createBuyers(chains, keys, orders)
  // The deposit of a command must not be bought meanwhile.
  const inTurn = serializeByKey()
  const tellState = () => tell({ kind: 'state', orders, payees })

  for (const chain of chains) await chain.fundBuyers()
  const server = await serveCash(
    {
      payees,
      onRegistered: tellState,
      take: (command) =>
        inTurn('cash', async () => {
          const hash = await runCashCommand({ chains, keys, orders, payees }, command)
          tellState()
          return hash
        }),
    },
    settings.port,
  )
  tell({ kind: 'ready', port: (server.address() as AddressInfo).port })
  for (;;) {
    try {
      const payments = await inTurn('cash', () => buyers.advance())
      if (payments > 0) tell({ kind: 'proved', payments })
      await sleep(POLL_MS)
    } catch (error) {
      tell({ kind: 'failure', reason: String(error) })
      await sleep(PAUSE_AFTER_FAILURE_MS)
    }
  }
}
