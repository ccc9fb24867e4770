import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { BaseError, ContractFunctionRevertedError } from 'viem'
import { z } from 'zod'
import { CommandError } from './command-error.ts'
import { fillerCommand, type FillerCommand } from './command-shape.ts'
import type { KnownDeposit } from './create-filler.ts'
import { suggestFees } from './suggest-fees.ts'
import type { CommandedAcross } from './take-command.ts'

/** What is served. */
export interface ServedAcross extends CommandedAcross {
  /** Does what the filler is told; the deposit in question, null for commands about none. */
  take: (command: FillerCommand) => Promise<KnownDeposit | null>
}

interface Answer {
  status: number
  body: unknown
}

/** Longer lists than this are cut at their beginning. */
const LISTED_DEPOSITS = 200
const MAX_BODY_BYTES = 4_096

/**
 * Serves on the loopback address `GET /api/suggested-fees` as Across does; `GET /deposits`, what the filler knows, newest
 * first; and `POST /commands`, in JSON.
 */
export async function serveAcross(across: ServedAcross, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void answerSafely(across, request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function answerSafely(across: ServedAcross, request: IncomingMessage): Promise<Answer> {
  try {
    return await answerRequest(across, request)
  } catch (error) {
    if (error instanceof CommandError) return { status: error.status, body: { message: error.message } }
    const refusal =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : null
    if (refusal instanceof ContractFunctionRevertedError)
      return {
        status: 409,
        body: { message: `the contract refuses it: ${refusal.data?.errorName ?? refusal.reason}` },
      }
    return { status: 500, body: { message: String(error) } }
  }
}

async function answerRequest(across: ServedAcross, request: IncomingMessage): Promise<Answer> {
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
      const deposit = await across.take(await readCommand(request))
      const { delaySeconds, mode } = across.orders
      return { status: 200, body: { delaySeconds, mode, deposit: deposit && describeDeposit(deposit) } }
    }
    default:
      throw new CommandError(404, `There is nothing at ${request.method} ${request.url}`)
  }
}

async function readCommand(request: IncomingMessage): Promise<FillerCommand> {
  // A page of another site cannot send this type without asking.
  if (request.headers['content-type'] !== 'application/json')
    throw new CommandError(400, 'A command is JSON: send content-type: application/json')
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES))
    throw new CommandError(400, `A command has at most ${MAX_BODY_BYTES} bytes`)
  const body = await text(request)
  const parsed = fillerCommand.safeParse(parseJson(body))
  if (!parsed.success) throw new CommandError(400, z.prettifyError(parsed.error))
  return parsed.data
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new CommandError(400, 'That is no JSON')
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
