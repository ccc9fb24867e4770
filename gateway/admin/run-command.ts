import { parseArgs } from 'node:util'
import {
  accountCommands,
  accountDataCommands,
  addressCommands,
  inviteCodeCommands,
  nameCommands,
} from './account-commands.ts'
import { clearSigningCommands, signatureCommands } from './inspection-commands.ts'
import { type AdminCommand, type AdminContext, AdminError } from './command.ts'
import { featureCommands } from './feature-commands.ts'
import { keyCommands, apiKeyCommands } from './key-commands.ts'

const COMMANDS: readonly AdminCommand[] = [
  ...apiKeyCommands,
  ...inviteCodeCommands,
  ...accountCommands,
  ...accountDataCommands,
  ...featureCommands,
  ...addressCommands,
  ...nameCommands,
  ...signatureCommands,
  ...clearSigningCommands,
  ...keyCommands,
]

export const HELP = `Usage: npm run admin -- <command>

  doctor
      examine settings, database, nodes, contracts, signers and the services around; changes nothing

${COMMANDS.map(({ name, usage, help }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${help}`).join('\n')}

It works on the service's database, whether the service runs or not, and reads the same environment:
CONFIG, DATA_DIR, DATABASE_URL and MASTER_KEYS.
`

/** A parsed command line, ready to be executed. */
export type ReadyCommand = (context: AdminContext) => Promise<void>

/**
 * Parses by `parseArgs` of node:util. A library such as commander would replace only the lookup of the command and the
 * help text, which the table gives in a line each.
 *
 * @throws AdminError if no command has that name, or the arguments do not fit.
 */
export function parseCommand(args: readonly string[]): ReadyCommand {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  if (!command) {
    const shown = args.slice(0, 2).join(' ')
    throw new AdminError(`${shown ? `There is no command "${shown}"` : 'No command was given'}.\n\n${HELP}`)
  }
  const { words, options, name, usage } = command
  let parsed
  try {
    parsed = parseArgs({
      args: args.slice(name.split(' ').length),
      options,
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new AdminError(`${(error as Error).message}\nUsage: npm run admin -- ${name} ${usage}`)
  }
  const { positionals, values } = parsed
  if (positionals.length < words.least || positionals.length > words.most)
    throw new AdminError(`Usage: npm run admin -- ${`${name} ${usage}`.trimEnd()}`)
  return (context) => command.run(context, positionals, values)
}
