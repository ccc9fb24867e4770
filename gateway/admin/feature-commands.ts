import {
  grantFeature,
  listFeatures,
  revokeFeature,
  type FeatureChange,
} from '../../db/account/profile/account-features.ts'
import type { ServiceConfig } from '../config/config.ts'
import { type AdminCommand, AdminError, readAccountId } from './command.ts'

/** The same length as in the configuration of a pool. */
const FEATURE = /^[^\p{Cc}]{1,64}$/u

function readFeature(text = ''): string {
  if (FEATURE.test(text)) return text
  throw new AdminError('<feature>: expected 1 to 64 characters, as a pool of the configuration names it')
}

function demandAccount(change: FeatureChange, accountId: string): void {
  if (change === 'unknown') throw new AdminError(`There is no account ${accountId}`)
}

const isNamed = ({ chains }: ServiceConfig, feature: string) =>
  chains.some(({ relayer }) => relayer?.assets.some((asset) => asset.feature === feature))

/** Commands about features, which show pools to some accounts only. */
export const featureCommands: readonly AdminCommand[] = [
  {
    name: 'feature grant',
    usage: '<accountId> <feature>',
    help: 'show an account the pools that name a feature',
    words: { least: 2, most: 2 },
    options: {},
    async run({ database, config, print }, [text, name]) {
      const [accountId, feature] = [readAccountId(text), readFeature(name)]
      const change = await grantFeature(database, accountId, feature)
      demandAccount(change, accountId)
      print(`Account ${accountId} ${change === 'changed' ? 'has' : 'had'} the feature ${feature}`)
      if (!isNamed(config, feature)) print('No pool of the configuration names it')
    },
  },
  {
    name: 'feature revoke',
    usage: '<accountId> <feature>',
    help: 'undo that',
    words: { least: 2, most: 2 },
    options: {},
    async run({ database, print }, [text, name]) {
      const [accountId, feature] = [readAccountId(text), readFeature(name)]
      const change = await revokeFeature(database, accountId, feature)
      demandAccount(change, accountId)
      if (change === 'unchanged') throw new AdminError(`The account has no feature ${feature}`)
      print(`Account ${accountId} has the feature ${feature} no more`)
    },
  },
  {
    name: 'feature list',
    usage: '[accountId]',
    help: 'features and the accounts that have them; of one account, or of all',
    words: { least: 0, most: 1 },
    options: {},
    async run({ database, print }, [text]) {
      const accountId = text === undefined ? null : readAccountId(text)
      for (const row of await listFeatures(database, accountId)) print(`${row.accountId}\t${row.feature}`)
    },
  },
]
