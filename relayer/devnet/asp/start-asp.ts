import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import { keepProcess, type KeptProcess } from '../keep-process.ts'
import type { AspChainSettings } from './asp-chain.ts'

/** Settings that the ASP process gets when it starts. */
export interface AspSettings {
  chains: AspChainSettings[]
  postmanKey: Hex
  delaySeconds: number
  declined: Address[]
  port: number
}

/** What the ASP process says. */
export type AspMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'published'; chainId: number; labels: number }
  | { kind: 'declined'; depositor: Address }
  | { kind: 'failure'; chainId: number; reason: string }

const program = fileURLToPath(new URL('./asp-process.ts', import.meta.url))

/** Starts the association set provider in a process of its own and restarts it when it ends; it dies with this process. */
export async function startAsp({ port, ...settings }: AspSettings, logger: Logger): Promise<KeptProcess> {
  // A process that takes the place of another declines whom that was told to decline.
  const declined = [...settings.declined]
  return keepProcess(
    {
      program,
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
    },
    logger,
  )
}
