import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { getAddress, isAddress, type Address } from 'viem'
import { z } from 'zod'
import { AspRequestError } from './read-request.ts'

/** What the ASP can be told: never to approve a depositor's deposits. */
const aspCommand = z.strictObject({
  command: z.literal('decline'),
  depositor: z
    .string()
    .refine((given) => isAddress(given), 'is not an address')
    .transform((given) => getAddress(given)),
})
const MAX_BODY_BYTES = 4_096

/**
 * Reads a command.
 * @returns Whose deposits are declined from now on.
 * @throws AspRequestError for anything else than a command in JSON.
 */
export async function readCommand(request: IncomingMessage): Promise<Address> {
  // A page of another site cannot send this type without asking, and is not allowed to.
  if (request.headers['content-type'] !== 'application/json')
    throw new AspRequestError(400, 'A command is JSON: send content-type: application/json')
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES))
    throw new AspRequestError(400, `A command has at most ${MAX_BODY_BYTES} bytes`)
  const parsed = aspCommand.safeParse(parseJson(await text(request)))
  if (!parsed.success) throw new AspRequestError(400, z.prettifyError(parsed.error))
  return parsed.data.depositor
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new AspRequestError(400, 'That is no JSON')
  }
}
