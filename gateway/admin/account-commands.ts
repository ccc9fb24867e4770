import { setAccountDisabled } from '../../db/identity/account-standing.ts'
import { type AdminCommand, AdminError, readAccountId, readNumber, readExpiry, readLabel } from './command.ts'
import { exportAccount, deleteAccount } from '../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { openTransientSecrets } from '../../relayer/identity/transient-secrets.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { rederiveAddresses } from '../../relayer/account/addresses/rederive-addresses.ts'
import { createInviteCodes, listInviteCodes } from '../../db/identity/invite-codes.ts'
import { randomLegible, randomText } from '../../relayer/identity/api-keys.ts'
import { reserveSubdomain } from '../../db/account/subdomains/subdomains.ts'
import { normalizeSubdomain } from '../../relayer/account/subdomains/normalize-subdomain.ts'

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
  switchAccount('disable', 'refuse its tokens, API keys and sign-ins'),
  switchAccount('enable', 'undo that'),
]

export const accountDataCommands: readonly AdminCommand[] = [
  {
    name: 'account export',
    usage: '<accountId>',
    help: 'print everything that is stored about it as JSON, for its owner; keys and other secrets are left out',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, config, print }, [text]) {
      const accountId = readAccountId(text)
      const vault = createVault(openMasterKeys(config.identity.masterKeys, config.storage.dataDir))
      const exported = await exportAccount({ database, vault }, accountId)
      if (!exported) throw new AdminError(`There is no account ${accountId}`)
      print(JSON.stringify(exported, null, 2))
    },
  },
  {
    name: 'account delete',
    usage: '<accountId>',
    help: 'delete it and everything that is stored about it, for good; export it first',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, config, print }, [text]) {
      const accountId = readAccountId(text)
      const vault = createVault(openMasterKeys(config.identity.masterKeys, config.storage.dataDir))
      const secrets = await openTransientSecrets({ database, vault })
      const isDeleted = await deleteAccount(database, accountId, secrets).catch((error: unknown) => {
        throw error instanceof ServiceError ? new AdminError(error.message) : error
      })
      if (!isDeleted) throw new AdminError(`There is no account ${accountId}`)
      print(`Account ${accountId} is deleted`)
    },
  },
]

const MOST = 1_000_000

export const addressCommands: readonly AdminCommand[] = [
  {
    name: 'addresses rederive',
    usage: '<accountId> --count <n>',
    help: 'make its first n one-time addresses known again, after the database came back from an older copy',
    words: { least: 1, most: 1 },
    options: { count: { type: 'string' } },
    async run({ database, config, logger, print }, [text], { count = '' }) {
      const accountId = readAccountId(text)
      const wanted = readNumber('count', count, [1, MOST])
      const vault = createVault(openMasterKeys(config.identity.masterKeys, config.storage.dataDir))
      const proving = await createProvingPool({ ...config.proving, commitmentKeys: [], logger })
      try {
        const added = await rederiveAddresses({ database, vault, proving }, accountId, wanted)
        print(`${wanted} addresses were derived, ${added} of them were missing`)
      } catch (error) {
        if (error instanceof ServiceError) throw new AdminError(error.message, { cause: error })
        throw error
      } finally {
        await proving.close()
      }
    },
  },
]

/** A code of 78 random bits, in groups that people can type. */
const makeCode = () => [1, 2, 3, 4].map(() => randomLegible(4)).join('-')

export const inviteCodeCommands: readonly AdminCommand[] = [
  {
    name: 'invite-code create',
    usage: '[--count <n>] [--days <n>] [--label <text>]',
    help: 'make codes that let one account each be created; they are shown once',
    words: { least: 0, most: 0 },
    options: {
      count: { type: 'string', default: '1' },
      days: { type: 'string' },
      label: { type: 'string', default: '' },
    },
    async run({ database, print }, _, { count = '1', days, label = '' }) {
      const expiresAt = readExpiry(days)
      const codes = Array.from({ length: readNumber('count', count, [1, 1_000]) }, () => ({
        id: randomText(12),
        code: makeCode(),
        label: readLabel(label),
        expiresAt,
      }))
      await createInviteCodes(database, codes)
      for (const { code } of codes) print(code)
    },
  },
  {
    name: 'invite-code list',
    usage: '',
    help: 'id, state and label of all codes',
    words: { least: 0, most: 0 },
    options: {},
    async run({ database, print }) {
      for (const { id, label, createdAt, expiresAt, consumedAt } of await listInviteCodes(database)) {
        const state = consumedAt
          ? `used ${consumedAt.toISOString()}`
          : expiresAt
            ? `${expiresAt.getTime() > Date.now() ? 'expires' : 'expired'} ${expiresAt.toISOString()}`
            : 'good'
        print([id, `made ${createdAt.toISOString()}`, state, label].join('\t'))
      }
    },
  },
]

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
      print(`The name ${name} is reserved for that code`)
    },
  },
]
