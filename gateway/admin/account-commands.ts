import { setAccountDisabled } from '../../db/identity/account-standing.ts'
import { AdminError } from './admin-error.ts'
import type { AdminCommand } from './command.ts'
import { readAccountId } from './read-option.ts'

function switchAccount(verb: 'disable' | 'enable', help: string): AdminCommand {
  return {
    name: `account ${verb}`,
    usage: '<accountId>',
    help,
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, print }, [text]) {
      const accountId = readAccountId(text)
      if (!(await setAccountDisabled(database, accountId, verb === 'disable')))
        throw new AdminError(`There is no account ${accountId}`)
      print(`Account ${accountId} is ${verb}d`)
    },
  }
}

export const accountCommands: readonly AdminCommand[] = [
  switchAccount('disable', 'refuse its tokens and API keys, and let nobody sign in to it'),
  switchAccount('enable', 'undo that'),
]
