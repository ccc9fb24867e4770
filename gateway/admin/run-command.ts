import { parseArgs } from 'node:util'
import {
  accountCommands,
  accountDataCommands,
  addressCommands,
  inviteCodeCommands,
  nameCommands,
} from './account-commands.ts'
import { clearSigningCommands, signatureCommands } from './inspection-commands.ts'
import {
  type AdminCommand,
  type AdminContext,
  AdminError,
  type SettingsCommand,
  type SettingsContext,
} from './command.ts'
import { backupCommands } from './backup/backup-commands.ts'
import { deployCommand } from './deploy/deploy-command.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { featureCommands } from './feature-commands.ts'
import { migrateCommand } from './migrate-command.ts'
import { keyCommands, apiKeyCommands } from './key-commands.ts'
import { profitCommand } from './profit-command.ts'

const COMMANDS: readonly (AdminCommand | SettingsCommand)[] = [
  doctorCommand,
  deployCommand,
  ...backupCommands,
  migrateCommand,
  profitCommand,
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

${COMMANDS.map(({ name, usage, help }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${help}`).join('\n')}

Commands read the service's environment: CONFIG, DATA_DIR, DATABASE_URL and MASTER_KEYS. They work whether the
service runs or not.
`

/** A parsed command line, ready to be executed. */
export type ReadyCommand =
  | { usesDatabase: true; run(context: AdminContext): Promise<void> }
  | { usesDatabase: false; run(context: SettingsContext): Promise<void> }

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
  if (command.usesDatabase === false)
    return { usesDatabase: false, run: (context) => command.run(context, positionals, values) }
  return { usesDatabase: true, run: (context) => command.run(context, positionals, values) }
}
