import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { KeptPart } from '../keep-process.ts'
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

/** Messages of the process. */
export type CashMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'proved'; payments: number }
  /** State that a new process needs. */
  | { kind: 'state'; orders: BuyerOrders; payees: PayeeRegister }
  | { kind: 'failure'; reason: string }

/** The buyers, the curator and the witness of the escrow, as a part of the process beside the chains. */
export function describeCash(
  { port, ...settings }: CashSettings & { port: number },
  logger: Logger,
): KeptPart {
  let { orders, payees } = settings
  return {
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
  }
}
