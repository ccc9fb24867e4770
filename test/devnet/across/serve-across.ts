import type { IncomingMessage, Server } from 'node:http'
import { CommandError } from '../commands/command-error.ts'
import { readCommand } from '../commands/read-command.ts'
import { serveCommands, type CommandAnswer } from '../commands/serve-commands.ts'
import { fillerCommand, type FillerCommand } from './command-shape.ts'
import type { KnownDeposit } from './create-filler.ts'
import { suggestFees } from './suggest-fees.ts'
import type { CommandedAcross } from './run-filler-command.ts'

/** What is served. */
export interface ServedAcross extends CommandedAcross {
  /** Carries out a command. Returns the deposit in question; null for commands about none. */
  take: (command: FillerCommand) => Promise<KnownDeposit | null>
}

/** Longer lists than this are cut at their beginning. */
const LISTED_DEPOSITS = 200

/**
 * Serves on the loopback address `GET /api/suggested-fees` as Across does. `GET /deposits` lists the filler's deposits,
 * newest first; `POST /commands` takes commands, in JSON.
 */
export const serveAcross = (across: ServedAcross, port: number): Promise<Server> =>
  serveCommands(port, (request) => answerRequest(across, request))

async function answerRequest(across: ServedAcross, request: IncomingMessage): Promise<CommandAnswer> {
  const url = URL.parse(`http://across${request.url}`)
  switch (`${request.method} ${url?.pathname}`) {
    case 'GET /api/suggested-fees':
      return suggestFees(across.chains, url?.searchParams ?? new URLSearchParams(), {
        fillSeconds: Math.max(1, Math.ceil(across.orders.delaySeconds)),
      })
    case 'GET /deposits':
      return {
        status: 200,
        body: across.filler.list().slice(-LISTED_DEPOSITS).toReversed().map(describeDeposit),
      }
    case 'POST /commands': {
      const deposit = await across.take(await readCommand(request, fillerCommand))
      const { delaySeconds, mode } = across.orders
      return { status: 200, body: { delaySeconds, mode, deposit: deposit && describeDeposit(deposit) } }
    }
    default:
      throw new CommandError(404, `There is nothing at ${request.method} ${request.url}`)
  }
}

/** A deposit in JSON: amounts as decimal strings. */
function describeDeposit({ relay, destinationChainId, txHash, relayHash, state, reason }: KnownDeposit) {
  return {
    originChainId: Number(relay.originChainId),
    depositId: String(relay.depositId),
    destinationChainId,
    relayHash,
    txHash,
    inputAmount: String(relay.inputAmount),
    outputAmount: String(relay.outputAmount),
    fillDeadline: new Date(relay.fillDeadline * 1_000).toISOString(),
    state,
    reason,
  }
}
