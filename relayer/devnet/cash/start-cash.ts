import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { keepProcess, type KeptProcess } from '../keep-process.ts'
import type { CashKeys } from './buy-deposit.ts'
import type { CashChainSettings } from './cash-chain.ts'
import type { BuyerOrders } from './create-buyers.ts'
import type { PayeeRegister } from './payees.ts'

/** Settings that the process gets when it starts. */
export interface CashSettings {
  chains: CashChainSettings[]
  keys: CashKeys
  buyerKeys: Hex[]
  orders: BuyerOrders
  payees: PayeeRegister
}

/** What the process says. */
export type CashMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'proved'; payments: number }
  /** What a new process has to know. */
  | { kind: 'state'; orders: BuyerOrders; payees: PayeeRegister }
  | { kind: 'failure'; reason: string }

const program = fileURLToPath(new URL('./cash-process.ts', import.meta.url))

/**
 * Starts the buyers, the curator and the witness of the escrow in a process of their own and restarts it when it ends; it dies
 * with this process.
 */
export function startCash(
  { port, ...settings }: CashSettings & { port: number },
  logger: Logger,
): Promise<KeptProcess> {
  let { orders, payees } = settings
  return keepProcess(
    {
      program,
      name: 'buyers of cash-outs',
      port,
      portHint: 'CASH_PORT=0 takes a free one',
      settings: () => ({ ...settings, orders, payees }),
      onMessage(message) {
        const said = message as CashMessage
        if (said.kind === 'state') ({ orders, payees } = said)
        else if (said.kind === 'proved') logger.debug(said, 'buyers of cash-outs proved payments')
        else logger.warn(said, 'the buyers of cash-outs could not advance')
      },
    },
    logger,
  )
}
