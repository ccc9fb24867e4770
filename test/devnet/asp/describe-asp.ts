import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import type { KeptPart } from '../keep-process.ts'
import type { AspChainSettings } from './asp-chain.ts'

/** Settings that the ASP process gets when it starts. */
export interface AspSettings {
  chains: AspChainSettings[]
  postmanKey: Hex
  delaySeconds: number
  declined: Address[]
  port: number
}

/** Messages of the ASP process. */
export type AspMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'published'; chainId: number; labels: number }
  | { kind: 'declined'; depositor: Address }
  | { kind: 'failure'; chainId: number; reason: string }

/** The association set provider, as a part of the process beside the chains. */
export function describeAsp({ port, ...settings }: AspSettings, logger: Logger): KeptPart {
  // A successor process declines the depositors that its predecessor declined.
  const declined = [...settings.declined]
  return {
    name: 'ASP',
    port,
    portHint: 'ASP_PORT=0 takes a free one',
    settings: () => ({ ...settings, declined }),
    onMessage(message) {
      const said = message as AspMessage
      if (said.kind === 'declined') declined.push(said.depositor)
      else if (said.kind === 'published') logger.debug(said, 'the ASP published a root')
      else logger.warn(said, 'the ASP could not advance')
    },
  }
}
