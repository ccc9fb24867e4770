import { reserveSubdomain } from '../../db/account/subdomains/subdomains.ts'
import { normalizeSubdomain } from '../../relayer/account/subdomains/normalize-subdomain.ts'
import { AdminError } from './admin-error.ts'
import type { AdminCommand } from './command.ts'

export const nameCommands: readonly AdminCommand[] = [
  {
    name: 'name reserve',
    usage: '<name> --code <invite code>',
    help: 'keep a name for the account that is created with an invite code, or that claims the name with it',
    words: { least: 1, most: 1 },
    options: { code: { type: 'string' } },
    async run({ database, print }, [text = ''], { code = '' }) {
      const name = normalizeSubdomain(text)
      if (name === null)
        throw new AdminError(`${text} is no name: expected 3 to 32 of a–z, 0–9 and inner hyphens`)
      if (!/^[\w -]{8,100}$/.test(code)) throw new AdminError('--code <invite code> is missing or no code')
      if (!(await reserveSubdomain(database, name, code)))
        throw new AdminError(`An account has the name ${name}`)
      print(`The name ${name} is kept for that code`)
    },
  },
]
