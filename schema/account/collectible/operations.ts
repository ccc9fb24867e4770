import { serverBusy } from '../../../relayer/errors.ts'
import { accountMutation } from '../../define/account-operation.ts'
import { z } from 'zod'
import { address, digitsLike } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'

const collectibleDeposit = shape('CollectibleDeposit', 'A collectible that came in and is held still.', {
  tokenId: described(digitsLike('1'), 'Number of the collectible in its collection, in decimal digits.'),
  imageUrl: described(z.string().nullable(), 'URL of the collectible’s picture; null without one.'),
  depositAddress: described(address, 'The account’s address that holds the collectible.'),
})

export const collectible = shape('Collectible', 'The collectibles that waive fees.', {
  active: described(
    z.boolean(),
    'True while they waive the account’s service fees: one of them is held, and waived no other account’s within 24 hours.',
  ),
  deposits: described(z.array(collectibleDeposit), 'The recorded collectibles that the account holds now.'),
})

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
