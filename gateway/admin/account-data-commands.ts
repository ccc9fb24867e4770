import { deleteAccount } from '../../relayer/account/erasure/delete-account.ts'
import { exportAccount } from '../../relayer/account/erasure/export-account.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { openTransientSecrets } from '../../relayer/identity/transient-secrets.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { AdminError } from './admin-error.ts'
import type { AdminCommand } from './command.ts'
import { readAccountId } from './read-option.ts'

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
