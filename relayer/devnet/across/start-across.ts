import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { keepProcess, type KeptProcess } from '../keep-process.ts'
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

/** What the process says. */
export type AcrossMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'filled'; destinationChainId: number; depositId: string }
  /** It was told to work otherwise; a new process has to know. */
  | { kind: 'orders'; orders: FillerOrders }
  | { kind: 'failure'; reason: string }

/** The running filler. */
export interface Across extends KeptProcess {
  /** Where `suggested-fees` is asked. */
  feesUrl: string
}

const program = fileURLToPath(new URL('./across-process.ts', import.meta.url))

/**
 * Starts Across, which is a filler and the service that says what a transfer costs, in a process of its own and restarts it
 * when it ends; it dies with this process.
 */
export async function startAcross(
  { port, ...settings }: AcrossSettings & { port: number },
  logger: Logger,
): Promise<Across> {
  let { orders } = settings
  const kept = await keepProcess(
    {
      program,
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
    },
    logger,
  )
  return { ...kept, feesUrl: `${kept.url}/api/suggested-fees` }
}
