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
