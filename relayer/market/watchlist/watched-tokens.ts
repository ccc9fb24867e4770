import type { Price } from '../prices/prices.ts'
import type { TokenId } from '../tokens/token-id.ts'
import type { DescribedToken, Token, TokenExtra } from '../tokens/tokens.ts'

/** The tokens that an account's addresses hold or held, as far as answers show them. */
export interface AccountTokens {
  /** Returns each token once, in any order. */
  heldBy(accountId: string): Promise<readonly TokenId[]>
}

/** An account's amounts of one token, smallest units. */
export interface TokenBalance {
  token: Token
  chainName: string
  visible: { available: bigint; pending: bigint }
  pooled: { available: bigint; pendingApproval: bigint; pendingWithdrawal: bigint; declined: bigint }
  /** The price of one whole token; null if unknown. */
  price: Price | null
}

/** Reads an account's amounts of one token. */
export interface BalanceReader {
  read(accountId: string, token: Token): Promise<Pick<TokenBalance, 'visible' | 'pooled'>>
}

/** The tokens of an account: those that it added and those that its addresses hold. */
export interface WatchedTokens {
  /** Lists the added ones first, in the order of adding. Spam is omitted unless it was added. */
  list(accountId: string, include: ReadonlySet<TokenExtra>): Promise<readonly DescribedToken[]>
  /**
   * Adds a token. Adding it again changes nothing.
   *
   * @throws ServiceError as {@link Tokens.lookup}, and `forbidden` for a token that imitates another or is spam.
   */
  add(accountId: string, id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken>
  /** @throws ServiceError as {@link Tokens.lookup}. */
  read(
    accountId: string,
    id: TokenId,
    include: ReadonlySet<TokenExtra>,
  ): Promise<DescribedToken & { balance: TokenBalance }>
}
