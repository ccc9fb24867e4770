import type { IncomingMessage } from 'node:http'
import { getAddress, isAddress, type Address } from 'viem'
import { z } from 'zod'
import { readCommand } from '../commands/read-command.ts'

/** The ASP's one command: never to approve a depositor's deposits. */
const aspCommand = z.strictObject({
  command: z.literal('decline'),
  depositor: z
    .string()
    .refine((given) => isAddress(given), 'is not an address')
    .transform((given) => getAddress(given)),
})

/**
 * Reads a command.
 * @returns The depositor whose deposits are declined from now on.
 * @throws CommandError for anything else than a command in JSON.
 */
export const readDecline = async (request: IncomingMessage): Promise<Address> =>
  (await readCommand(request, aspCommand)).depositor
