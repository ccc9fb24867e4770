import { chainNotSupported } from '../../../relayer/chain/errors.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { suspiciousToken, tokenMetadataUnavailable, tokenNotFound } from '../../../relayer/market/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { tokenIdOf } from '../../../relayer/market/tokens/token-id.ts'
import { describeBalance } from '../describe-balance.ts'
import { describeToken } from './describe-token.ts'
import { defineOperation, publicQuery } from '../../define/operation.ts'
import {
  accountToken,
  accountTokenPath,
  addTokenBody,
  catalogQuery,
  includeQuery,
  lookupQuery,
  popularQuery,
  popularTokens,
  token,
  tokenCatalog,
  tokenList,
  catalogCursor,
} from './model.ts'

const catalogue = 'Catalogue'
const accountSection = 'Tokens of an account'

export const tokenOperations = [
  publicQuery({
    name: 'tokenCatalog',
    sharedSeconds: 30,
    rest: 'GET /v1/token-catalog',
    section: catalogue,
    summary: 'Tokens that are known',
    description:
      'Configured and listed tokens of the served chains. With `q` the best match first: a symbol as a whole, the beginning of one, the beginning of a name, a part of either.',
    input: { query: catalogQuery },
    output: tokenCatalog,
    run: async ({ query: { include, ...query } }, { services }) => {
      const page = await services.tokens.catalog({ ...query, include: new Set(include) })
      return {
        ...page,
        tokens: page.tokens.map(describeToken),
        testnetToMainnet: Object.fromEntries(page.testnetToMainnet),
        nextCursor: page.nextCursor && catalogCursor.encode(page.nextCursor),
      }
    },
  }),
  publicQuery({
    name: 'popularTokens',
    sharedSeconds: 60,
    rest: 'GET /v1/tokens/popular',
    section: catalogue,
    summary: 'Tokens that are popular on a chain',
    description: 'Empty without a source of them, and for a chain that is not served.',
    input: { query: popularQuery },
    output: popularTokens,
    run: async ({ query }, { services }) => {
      const { source, tokens } = await services.tokens.popular(query.chainId)
      return {
        source,
        tokens: tokens.map(({ token, ...changes }) => ({ ...describeToken({ token }), ...changes })),
      }
    },
  }),
  defineOperation({
    name: 'tokenLookup',
    kind: 'query',
    rest: 'GET /v1/token-lookup',
    status: 200,
    access: 'bearer',
    errors: [tokenNotFound, chainNotSupported, tokenMetadataUnavailable],
    section: catalogue,
    summary: 'Look up a token',
    description:
      'Its facts; else its contract and the token providers are asked, and what they say is remembered. Its texts are sanitised; `visibility` is hidden where it is likely spam.',
    input: { query: lookupQuery },
    output: token,
    run: async ({ query: { chainId, address, include } }, { services }) =>
      describeToken(await services.tokens.lookup(tokenIdOf(chainId, address), new Set(include))),
  }),
  accountQuery({
    name: 'accountTokens',
    instead: 'Account.tokens',
    rest: 'GET /v1/accounts/{accountId}/tokens',
    foreignAccount: accountNotFound,
    section: accountSection,
    summary: 'Tokens of an account',
    description: 'Tokens that it added, in that order, then those that its addresses hold.',
    input: { query: includeQuery },
    output: tokenList,
    run: async ({ path, query }, { services }) => ({
      tokens: (await services.watchedTokens.list(path.accountId, new Set(query.include))).map(describeToken),
    }),
  }),
  accountMutation({
    name: 'addAccountToken',
    rest: 'POST /v1/accounts/{accountId}/tokens',
    limit: 10,
    errors: [tokenNotFound, suspiciousToken, chainNotSupported, tokenMetadataUnavailable],
    section: accountSection,
    summary: 'Add a token to an account',
    description: 'Looks the token up. One that imitates another or looks like spam is refused with 403.',
    input: { query: includeQuery, body: addTokenBody },
    output: token,
    run: async ({ path, query, body }, { services }) =>
      describeToken(
        await services.watchedTokens.add(
          path.accountId,
          tokenIdOf(body.chainId, body.address),
          new Set(query.include),
        ),
      ),
  }),
  accountQuery({
    name: 'accountToken',
    instead: 'Account.balance',
    rest: 'GET /v1/accounts/{accountId}/tokens/{chainId}/{address}',
    limit: 60,
    errors: [tokenNotFound, chainNotSupported, tokenMetadataUnavailable],
    section: accountSection,
    summary: 'A token and what the account has of it',
    description: 'The token need not have been added.',
    input: { path: accountTokenPath, query: includeQuery },
    output: accountToken,
    run: async ({ path: { accountId, chainId, address }, query }, { services }) => {
      const read = await services.watchedTokens.read(
        accountId,
        tokenIdOf(chainId, address),
        new Set(query.include),
      )
      return { token: describeToken(read), balance: describeBalance(read.balance) }
    },
  }),
]
