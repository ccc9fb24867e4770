import { z } from 'zod'
import { defineError } from '../service-error.ts'

/** Members of an error that name its token. */
export const tokenOfError = z.object({
  tokenSymbol: z.string().meta({ description: 'Symbol of the token that the error is about.' }),
  tokenAddress: z.string().meta({ description: 'Address of the token that the error is about.' }),
  tokenDecimals: z.int().meta({ description: 'Decimals of amounts in the smallest unit.' }),
})

/** Returns these members for a token. */
export const membersOfToken = ({
  symbol,
  address,
  decimals,
}: {
  symbol: string
  address: string
  decimals: number
}) => ({
  tokenSymbol: symbol,
  tokenAddress: address,
  tokenDecimals: decimals,
})

/** No token contract has that address. */
export const tokenNotFound = defineError({
  kind: 'not-found',
  example: 'There is no ERC-20 token at that address of chain 1',
})

/** A token's metadata cannot be read now. */
export const tokenMetadataUnavailable = defineError({
  code: 'TOKEN_METADATA_UNAVAILABLE',
  kind: 'unavailable',
  meaning: 'The token’s decimals cannot be read.',
  retry: 'After `Retry-After` seconds.',
  example: 'The decimals of that token cannot be read now',
})

/** An account may not add a token that is likely spam. */
export const suspiciousToken = defineError({
  kind: 'forbidden',
  message: 'The token looks like spam or imitates another: it cannot be added',
})
