import { z } from 'zod'
import { addressSetting, pictureSetting } from '../../chain/nodes/config-values.ts'

const collection = z.strictObject({
  chainId: z.int().positive(),
  /** An ERC-721 contract. Its answer about owners is trusted. */
  contract: addressSetting,
  /** The symbol of its tokens in quotes. */
  symbol: z.string().min(1).max(32).default('NFT'),
  /** URL of a token's picture; `{tokenId}` stands for its number. Only clients fetch it, never the service. */
  imageUrl: pictureSetting.optional(),
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
