import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { BaseError, ContractFunctionRevertedError, type Hash } from 'viem'
import { z } from 'zod'
import { CommandError } from '../across/command-error.ts'
import { cashCommand, type CashCommand } from './command-shape.ts'
import { isRegistered, registerPayee, type PayeeRegister } from './payees.ts'

/** What is served. */
export interface ServedCash {
  payees: PayeeRegister
  /** Does what buyers, curator and witness are told. */
  take: (command: CashCommand) => Promise<Hash | null>
  /** Called when a payee is registered. */
  onRegistered: () => void
}

interface Answer {
  status: number
  body: unknown
}

/** What the curator was asked. */
interface ToldRequest {
  method: string
  path: string
  body: unknown
}

const MAX_BODY_BYTES = 4_096
/** Older ones are forgotten. */
const KEPT_REQUESTS = 500
const newPayee = z.object({ processorName: z.string().min(1), offchainId: z.string().min(1) })

/**
 * Serves on the loopback address what the curator does (`POST /v2/makers/create`, `GET /v2/makers/{app}/{hash}`), as Peer's
 * does; `GET /requests`, what it was told, oldest first; and `POST /commands`, in JSON.
 */
export async function serveCash(cash: ServedCash, port: number): Promise<Server> {
  const told: ToldRequest[] = []
  const server = createServer((request, response) => {
    void answerSafely(cash, told, request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function answerSafely(
  cash: ServedCash,
  told: ToldRequest[],
  request: IncomingMessage,
): Promise<Answer> {
  try {
    return await answerRequest(cash, told, request)
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

async function answerRequest(
  cash: ServedCash,
  told: ToldRequest[],
  request: IncomingMessage,
): Promise<Answer> {
  const { method = '', url: path = '' } = request
  if (method === 'GET' && path === '/requests') return { status: 200, body: told }
  if (method === 'POST' && path === '/commands') {
    const parsed = cashCommand.safeParse(await readJson(request))
    if (!parsed.success) throw new CommandError(400, z.prettifyError(parsed.error))
    return { status: 200, body: { intentHash: await cash.take(parsed.data) } }
  }
  const body = method === 'POST' ? await readJson(request) : null
  told.push({ method, path, body })
  told.splice(0, Math.max(0, told.length - KEPT_REQUESTS))
  return answerCurator(cash, { method, path, body })
}

/** A curator says no in its own form. */
function answerCurator({ payees, onRegistered }: ServedCash, { method, path, body }: ToldRequest): Answer {
  const refuse = (status: number, message: string) => ({ status, body: { success: false, message } })
  if (method === 'POST' && path === '/v2/makers/create') {
    const parsed = newPayee.safeParse(body)
    if (!parsed.success) return refuse(400, z.prettifyError(parsed.error))
    const hashedOnchainId = registerPayee(payees, parsed.data)
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

async function readJson(request: IncomingMessage): Promise<unknown> {
  // A page of another site cannot send this type without asking.
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new CommandError(400, 'Send JSON: content-type: application/json')
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES))
    throw new CommandError(400, `A request has at most ${MAX_BODY_BYTES} bytes`)
  try {
    return JSON.parse(await text(request))
  } catch {
    throw new CommandError(400, 'That is no JSON')
  }
}
