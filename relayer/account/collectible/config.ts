import { z } from 'zod'
import { addressSetting, pictureSetting } from '../../chain/nodes/config-values.ts'

const collection = z.strictObject({
  chainId: z.int().positive().describe('The chain of the contract.'),
  contract: addressSetting.describe('An ERC-721 contract. Its answer about owners is trusted.'),
  symbol: z.string().min(1).max(32).default('NFT').describe('The symbol of its tokens in quotes.'),
  imageUrl: pictureSetting
    .optional()
    .describe(
      "An https address of a token's picture, or a small `data:` URL; `{tokenId}` stands for its " +
        'number. Only clients fetch it, never the service.',
    ),
})

/** The contracts whose tokens waive service fees while an account holds one. */
export const collectiblesConfig = z
  .array(collection)
  .max(20)
  .refine(
    (all) => new Set(all.map(({ chainId, contract }) => `${chainId} ${contract}`)).size === all.length,
    'names a contract twice',
  )

/** A contract whose tokens waive service fees. */
export type Collection = z.output<typeof collection>
