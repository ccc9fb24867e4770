import { spawnSync } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UnusableDatabaseError } from '../database-servers.ts'

/** A way to start PostgreSQL as a user other than root. */
export interface Account {
  /** User id that must own its files; undefined for the current user. */
  owner: number | undefined
  /** The command line that runs a program with these arguments as this account. */
  commandLine(program: string, ...args: string[]): { command: string; args: string[] }
}

const NOBODY = 65_534
const ROOT = 0

/** Stops PostgreSQL in order when this process dies, even by SIGKILL. */
const WITH_PARENT = ['setpriv', '--pdeathsig', 'INT']
const AS_NOBODY = [...WITH_PARENT, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
/** For folders that only root may enter: root keeps its access to files, and PostgreSQL sees another user id. */
const IN_OWN_NAMESPACE = [
  'unshare',
  '--user',
  `--map-user=${NOBODY}`,
  `--map-group=${NOBODY}`,
  ...WITH_PARENT,
]

/**
 * Chooses the account of the server, and gives it `stateDirectory` with its content. PostgreSQL refuses to run as root.
 * So root runs it as `nobody`, or in a user namespace where `nobody` cannot reach the program or the folder.
 * @throws Error that names the ways out, when the machine allows neither.
 */
export function chooseAccount(program: string, stateDirectory: string): Account {
  if (process.getuid?.() !== 0) {
    const diesWithParent = runs(startThrough(WITH_PARENT, undefined), 'true')
    return startThrough(diesWithParent ? WITH_PARENT : [], undefined)
  }
  const dataDirectory = dirname(stateDirectory)
  for (const account of [startThrough(AS_NOBODY, NOBODY), startThrough(IN_OWN_NAMESPACE, ROOT)]) {
    if (!runs(account, 'sh', '-c', 'test -x "$1" && test -x "$2"', 'sh', program, dataDirectory)) continue
    giveTree(stateDirectory, account.owner ?? ROOT)
    return account
  }
  throw new UnusableDatabaseError(
    `PostgreSQL does not run as root, and user ${NOBODY} can reach ${program} or ${dataDirectory} neither by its own ` +
      'rights nor in a user namespace. Start the service as an ordinary user, or put the checkout and DATA_DIR where ' +
      'every user may enter (chmod o+x on each folder above), or set DATABASE_URL to a PostgreSQL server of yours',
  )
}

function startThrough(prefix: readonly string[], owner: number | undefined): Account {
  return {
    owner,
    commandLine(program, ...args) {
      const [command = program, ...rest] = [...prefix, program, ...args]
      return { command, args: rest }
    },
  }
}

function runs(account: Account, program: string, ...programArgs: string[]): boolean {
  const { command, args } = account.commandLine(program, ...programArgs)
  return spawnSync(command, args, { stdio: 'ignore', cwd: '/' }).status === 0
}

function giveTree(path: string, owner: number): void {
  const status = lstatSync(path)
  if (status.uid !== owner || status.gid !== owner) lchownSync(path, owner, owner)
  if (status.isDirectory()) for (const entry of readdirSync(path)) giveTree(join(path, entry), owner)
}
