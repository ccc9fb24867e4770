import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { BaseError, ContractFunctionRevertedError } from 'viem'
import { CommandError } from './command-error.ts'

/** An answer; its body is sent as JSON. */
export interface CommandAnswer {
  status: number
  body: unknown
}

/**
 * Serves commands and questions on the loopback address, in JSON.
 * @param answer Its errors become answers: a CommandError with its status, a contract's refusal with 409.
 */
export async function serveCommands(
  port: number,
  answer: (request: IncomingMessage) => Promise<CommandAnswer>,
): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request)
      .catch(explainError)
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function explainError(error: unknown): CommandAnswer {
  if (error instanceof CommandError) return { status: error.status, body: { message: error.message } }
  const refusal =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null
  if (refusal instanceof ContractFunctionRevertedError)
    return {
      status: 409,
      body: { message: `the contract refuses it: ${refusal.data?.errorName ?? refusal.reason}` },
    }
  return { status: 500, body: { message: String(error) } }
}
