import type { AddressInfo } from 'node:net'
import { CommandError } from '../commands/command-error.ts'
import { serveCommands } from '../commands/serve-commands.ts'
import { answerMarket } from './answer-market.ts'
import type { DevnetCoin } from './coins.ts'

/** Serves the market on the loopback address for as long as its process lives. */
export async function runMarket(
  { coins, port }: { coins: DevnetCoin[]; port: number },
  tell: (message: { kind: 'ready'; port: number }) => void,
): Promise<void> {
  const server = await serveCommands(port, (request) => {
    const url = URL.parse(`http://market${request.url}`)
    if (request.method !== 'GET' || !url) throw new CommandError(404, `There is nothing at ${request.url}`)
    return Promise.resolve({ status: 200, body: answerMarket(coins, url, Date.now()) })
  })
  tell({ kind: 'ready', port: (server.address() as AddressInfo).port })
}
