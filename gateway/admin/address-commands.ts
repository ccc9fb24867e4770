import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { rederiveAddresses } from '../../relayer/account/addresses/rederive-addresses.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { AdminError } from './admin-error.ts'
import type { AdminCommand } from './command.ts'
import { readAccountId, readNumber } from './read-option.ts'

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
