import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { CommandError } from './command-error.ts'

const MAX_BODY_BYTES = 4_096

/**
 * Reads the JSON of a request.
 * @throws CommandError for anything else, and for more than 4,096 bytes.
 */
export async function readCommandJson(request: IncomingMessage): Promise<unknown> {
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

/**
 * Reads a command in JSON.
 * @throws CommandError where it does not have this shape.
 */
export async function readCommand<Shape extends z.ZodType>(
  request: IncomingMessage,
  shape: Shape,
): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(await readCommandJson(request))
  if (!parsed.success) throw new CommandError(400, z.prettifyError(parsed.error))
  return parsed.data
}
