import { tokenMetadataUnavailable } from '../market/errors.ts'
import { keyOf, type TokenId } from '../market/tokens/token-id.ts'
import type { Token, Tokens } from '../market/tokens/tokens.ts'

/**
 * Reads a token's name and decimals, from its contract if they are not known yet.
 * @throws ServiceError `unavailable` TOKEN_METADATA_UNAVAILABLE while they cannot be read.
 */
export async function readToken({ tokens }: { tokens: Tokens }, id: TokenId): Promise<Token> {
  const token = (await tokens.find(id)) ?? (await tokens.learnMany([id])).get(keyOf(id))
  if (token) return token
  throw tokenMetadataUnavailable('The decimals of that token cannot be read now')
}
