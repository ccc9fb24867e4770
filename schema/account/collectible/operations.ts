import { serverBusy } from '../../../relayer/errors.ts'
import { accountMutation } from '../../define/account-operation.ts'
import { collectible } from './model.ts'

export const collectibleOperations = [
  accountMutation({
    name: 'verifyCollectible',
    rest: 'POST /v1/accounts/{accountId}/collectible/verify',
    idempotency: 'optional',
    errors: [serverBusy],
    section: 'Account',
    summary: 'Record collectibles that came in',
    description:
      'Looks for collectibles at addresses of the account that others pay to and that never sent anything, asks their contracts, and records them. While one is held, service fees are waived; the waiver ends when it leaves, also by a reorg. A collectible that another account recorded within 24 hours does not count until then. Repeated, it changes nothing. `active: false` without deposits where the service knows no collectible.',
    output: collectible,
    run: async ({ path }, { services }) => services.collectibles.verify(path.accountId),
  }),
]
