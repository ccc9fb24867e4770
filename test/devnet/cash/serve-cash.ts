import type { IncomingMessage, Server } from 'node:http'
import type { Hash } from 'viem'
import { z } from 'zod'
import { readCommand, readCommandJson } from '../commands/read-command.ts'
import { serveCommands, type CommandAnswer } from '../commands/serve-commands.ts'
import { cashCommand, type CashCommand } from './command-shape.ts'
import { isRegistered, addPayee, type PayeeRegister } from './payees.ts'

/** What is served. */
export interface ServedCash {
  payees: PayeeRegister
  /** Carries out a command to buyers, curator or witness. */
  take: (command: CashCommand) => Promise<Hash | null>
  /** Called when a payee is registered. */
  onRegistered: () => void
}

/** A request to the curator. */
interface ToldRequest {
  method: string
  path: string
  body: unknown
}

/** Older ones are forgotten. */
const KEPT_REQUESTS = 500
const newPayee = z.object({ processorName: z.string().min(1), offchainId: z.string().min(1) })

/**
 * Serves the curator on the loopback address as Peer's does (`POST /v2/makers/create`, `GET /v2/makers/{app}/{hash}`).
 * `GET /requests` gives its requests, oldest first; `POST /commands` takes commands, in JSON.
 */
export function serveCash(cash: ServedCash, port: number): Promise<Server> {
  const told: ToldRequest[] = []
  return serveCommands(port, (request) => answerRequest(cash, told, request))
}

async function answerRequest(
  cash: ServedCash,
  told: ToldRequest[],
  request: IncomingMessage,
): Promise<CommandAnswer> {
  const { method = '', url: path = '' } = request
  if (method === 'GET' && path === '/requests') return { status: 200, body: told }
  if (method === 'POST' && path === '/commands')
    return { status: 200, body: { intentHash: await cash.take(await readCommand(request, cashCommand)) } }
  const body = method === 'POST' ? await readCommandJson(request) : null
  told.push({ method, path, body })
  told.splice(0, Math.max(0, told.length - KEPT_REQUESTS))
  return answerCurator(cash, { method, path, body })
}

/** A curator says no in its own form. */
function answerCurator(
  { payees, onRegistered }: ServedCash,
  { method, path, body }: ToldRequest,
): CommandAnswer {
  const refuse = (status: number, message: string) => ({ status, body: { success: false, message } })
  if (method === 'POST' && path === '/v2/makers/create') {
    const parsed = newPayee.safeParse(body)
    if (!parsed.success) return refuse(400, z.prettifyError(parsed.error))
    const hashedOnchainId = addPayee(payees, parsed.data)
    if (hashedOnchainId === null) return refuse(400, 'this payee cannot be paid')
    onRegistered()
    const { processorName } = parsed.data
    return { status: 200, body: { success: true, responseObject: { processorName, hashedOnchainId } } }
  }
  const asked = /^\/v2\/makers\/([^/]+)\/(0x[0-9a-f]{64})$/.exec(path)
  if (method === 'GET' && asked?.[1] && asked[2])
    return isRegistered(payees, asked[1], asked[2])
      ? { status: 200, body: { success: true } }
      : refuse(404, 'nobody is registered by this hash')
  return refuse(404, `There is nothing at ${method} ${path}`)
}
