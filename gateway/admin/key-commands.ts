import { createVault } from '../../relayer/identity/create-vault.ts'
import { hpkeKeys, tokenKeys } from '../../relayer/identity/key-kinds.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { rewrapSecrets } from '../../relayer/identity/rewrap-secrets.ts'
import { openServerKeys, rotateServerKey } from '../../relayer/identity/server-keys.ts'
import type { ServiceConfig } from '../config/config.ts'
import { type AdminCommand, AdminError, readAccountId, readExpiry, readLabel } from './command.ts'
import { listApiKeys, revokeApiKey } from '../../db/identity/api-keys.ts'
import { createApiKey, sealApiKey } from '../../relayer/identity/api-keys.ts'
import type { Scope } from '../../relayer/identity/principal.ts'

const mastersOf = ({ identity, storage }: ServiceConfig) =>
  openMasterKeys(identity.masterKeys, storage.dataDir)

export const keyCommands: readonly AdminCommand[] = [
  {
    name: 'rotate-keys',
    usage: '[token|hpke]',
    help: 'new keys to sign tokens and to encrypt to; the old ones go on reading until what they made has ended',
    words: { least: 0, most: 1 },
    options: {},
    async run({ database, config, print }, [purpose]) {
      if (purpose !== undefined && purpose !== 'token' && purpose !== 'hpke')
        throw new AdminError(`There are no keys named ${purpose}: write token or hpke, or nothing for both`)
      const vault = createVault(mastersOf(config))
      for (const kind of [tokenKeys, hpkeKeys]) {
        if (purpose !== undefined && purpose !== kind.purpose) continue
        // Opening the present keys proves that the service will be able to open a key that is sealed here.
        await openServerKeys<unknown>(kind, { database, vault, overlapSeconds: 0 })
        await rotateServerKey(kind, { database, vault })
        print(`A new ${kind.purpose} key is in use; running instances notice within seconds`)
      }
    },
  },
  {
    name: 'rewrap-keys',
    usage: '',
    help: 'bring all secrets at rest under the newest master key, after which older ones can go',
    words: { least: 0, most: 0 },
    options: {},
    async run({ database, config, print }) {
      const masterKeys = mastersOf(config)
      const results = await rewrapSecrets(database, createVault(masterKeys), masterKeys[0].id)
      for (const { place, rewrapped } of results) print(`${place}: ${rewrapped} re-wrapped`)
      const failed = results.flatMap(({ place, failed }) =>
        failed.map(({ key, reason }) => `  ${place} ${key}: ${reason}`),
      )
      if (failed.length > 0)
        throw new AdminError(`These could not be re-wrapped and were left as they are:\n${failed.join('\n')}`)
    },
  },
]

function readScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim())
  if (scopes.length > 0 && scopes.every((scope) => scope === 'read' || scope === 'write'))
    return [...new Set(scopes)]
  throw new AdminError(`--scopes is ${text}: expected read, write or read,write`)
}

const vaultOf = ({ identity, storage }: ServiceConfig) =>
  createVault(openMasterKeys(identity.masterKeys, storage.dataDir))

export const apiKeyCommands: readonly AdminCommand[] = [
  {
    name: 'api-key create',
    usage: '--account <accountId> [--scopes read,write] [--days <n>] [--label <text>]',
    help: 'make an API key of an account; it is shown once',
    words: { least: 0, most: 0 },
    options: {
      account: { type: 'string' },
      scopes: { type: 'string', default: 'read,write' },
      days: { type: 'string' },
      label: { type: 'string', default: '' },
    },
    async run({ database, config, print }, _, { account, scopes = '', days, label = '' }) {
      const accountId = readAccountId(account)
      const made = await createApiKey(
        { database, vault: vaultOf(config) },
        {
          accountId,
          label: readLabel(label),
          scopes: readScopes(scopes),
          expiresAt: readExpiry(days),
        },
      )
      if (!made) throw new AdminError(`There is no account ${accountId}`)
      print(made.token)
    },
  },
  {
    name: 'api-key list',
    usage: '[--account <accountId>]',
    help: 'id, account, scopes, state and label of all keys',
    words: { least: 0, most: 0 },
    options: { account: { type: 'string' } },
    async run({ database, print }, _, { account }) {
      const keys = await listApiKeys(database, account === undefined ? null : readAccountId(account))
      for (const { id, accountId, label, scopes, createdAt, expiresAt, revokedAt, hasSeal } of keys) {
        const end = revokedAt
          ? `revoked ${revokedAt.toISOString()}`
          : expiresAt
            ? `${expiresAt.getTime() > Date.now() ? 'expires' : 'expired'} ${expiresAt.toISOString()}`
            : 'never expires'
        const state = revokedAt || hasSeal ? end : `not sealed, ${end}`
        print([id, accountId, scopes.join(','), `made ${createdAt.toISOString()}`, state, label].join('\t'))
      }
    },
  },
  {
    name: 'api-key seal',
    usage: '<id>',
    help: 'accept a key that an earlier version made, which list shows as not sealed: only one that you know',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, config, print }, [id = '']) {
      if (!(await sealApiKey({ database, vault: vaultOf(config) }, id)))
        throw new AdminError(`There is no API key ${id} that is good and not sealed`)
      print(`API key ${id} is accepted as it stands`)
    },
  },
  {
    name: 'api-key revoke',
    usage: '<id>',
    help: 'refuse a key from now on; its id is the part between the last two underscores',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, print }, [id = '']) {
      if (!(await revokeApiKey(database, id)))
        throw new AdminError(`There is no API key ${id}, or it was revoked before`)
      print(`API key ${id} is revoked`)
    },
  },
]
