import { createVault } from '../../relayer/identity/create-vault.ts'
import { hpkeKeys, tokenKeys } from '../../relayer/identity/key-kinds.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { rewrapSecrets } from '../../relayer/identity/rewrap-secrets.ts'
import { openServerKeys, rotateServerKey } from '../../relayer/identity/server-keys.ts'
import type { ServiceConfig } from '../config/config.ts'
import { AdminError } from './admin-error.ts'
import type { AdminCommand } from './command.ts'

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
