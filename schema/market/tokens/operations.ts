import { tokenIdOf } from '../../../relayer/market/tokens/token-id.ts'
import { accountPath } from '../../define/account-path.ts'
import { describeBalance } from '../describe-balance.ts'
import { defineOperation } from '../../define/operation.ts'
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
} from './model.ts'
import { describeToken } from './describe-token.ts'

const catalogue = 'Catalogue'
const accountSection = 'Tokens of an account'

export const tokenOperations = [
  defineOperation({
    name: 'tokenCatalog',
    kind: 'query',
    rest: 'GET /v1/token-catalog',
    status: 200,
    access: 'public',
    errors: [],
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
      }
    },
  }),
  defineOperation({
    name: 'popularTokens',
    kind: 'query',
    rest: 'GET /v1/tokens/popular',
    status: 200,
    access: 'public',
    errors: [],
    section: catalogue,
    summary: 'Tokens that are popular on a chain',
    description: 'Empty where nobody says which are, and for a chain that is not served.',
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
    errors: [400, 401, 404],
    codes: ['CHAIN_NOT_SUPPORTED', 'TOKEN_METADATA_UNAVAILABLE'],
    section: catalogue,
    summary: 'Look up a token',
    description:
      'What is known of it; else its contract and the token providers are asked, and what they say is remembered. Its texts are sanitised; `visibility` is hidden where it is likely spam.',
    input: { query: lookupQuery },
    output: token,
    run: async ({ query: { chainId, address, include } }, { services }) =>
      describeToken(await services.tokens.lookup(tokenIdOf(chainId, address), new Set(include))),
  }),
  defineOperation({
    name: 'accountTokens',
    kind: 'query',
    field: 'tokens',
    rest: 'GET /v1/accounts/{accountId}/tokens',
    status: 200,
    access: 'bearer',
    errors: [404],
    section: accountSection,
    summary: 'Tokens of an account',
    description: 'Those it added, in that order, then those that its addresses hold.',
    input: { path: accountPath, query: includeQuery },
    output: tokenList,
    run: async ({ path, query }, { services }) => ({
      tokens: (await services.watchedTokens.list(path.accountId, new Set(query.include))).map(describeToken),
    }),
  }),
  defineOperation({
    name: 'addAccountToken',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/tokens',
    status: 200,
    access: 'bearer',
    limit: 10,
    errors: [400, 403, 404, 429],
    codes: ['CHAIN_NOT_SUPPORTED', 'TOKEN_METADATA_UNAVAILABLE'],
    section: accountSection,
    summary: 'Add a token to an account',
    description: 'Looks the token up. One that imitates another or looks like spam is refused with 403.',
    input: { path: accountPath, query: includeQuery, body: addTokenBody },
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
  defineOperation({
    name: 'accountToken',
    kind: 'query',
    field: 'token',
    rest: 'GET /v1/accounts/{accountId}/tokens/{chainId}/{address}',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 403, 404, 429],
    codes: ['CHAIN_NOT_SUPPORTED', 'TOKEN_METADATA_UNAVAILABLE'],
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
