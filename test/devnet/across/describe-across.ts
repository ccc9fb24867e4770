import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { KeptPart } from '../keep-process.ts'
import type { AcrossChainSettings } from './across-chain.ts'
import type { FillerOrders } from './create-filler.ts'

/** Settings that the process gets when it starts. */
export interface AcrossSettings {
  chains: AcrossChainSettings[]
  fillerKey: Hex
  orders: FillerOrders
  /** The chains' clocks are not ours. */
  hasOwnClock: boolean
}

/** Messages of the process. */
export type AcrossMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'filled'; destinationChainId: number; depositId: string }
  /** A command changed its orders; a new process needs them. */
  | { kind: 'orders'; orders: FillerOrders }
  | { kind: 'failure'; reason: string }

/** The URL of `suggested-fees` at a filler with the given URL. */
export const feesUrlOf = (url: string): string => `${url}/api/suggested-fees`

/** Across as a part of the process beside the chains: a filler, and the service that gives the costs of transfers. */
export function describeAcross(
  { port, ...settings }: AcrossSettings & { port: number },
  logger: Logger,
): KeptPart {
  let { orders } = settings
  return {
    name: 'filler of Across',
    port,
    portHint: 'ACROSS_PORT=0 takes a free one',
    settings: () => ({ ...settings, orders }),
    onMessage(message) {
      const said = message as AcrossMessage
      if (said.kind === 'orders') orders = said.orders
      else if (said.kind === 'filled') logger.debug(said, 'the filler of Across filled a deposit')
      else logger.warn(said, 'the filler of Across could not advance')
    },
  }
}
