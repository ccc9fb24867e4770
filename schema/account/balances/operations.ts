import { tokenIdOf } from '../../../relayer/market/tokens/token-id.ts'
import { accountPath } from '../../define/account-path.ts'
import { defineOperation } from '../../define/operation.ts'
import { balanceEntry } from '../../market/balance-entry.ts'
import { describeBalance } from '../../market/describe-balance.ts'
import { describeAddressBalances, describeFunded, describeSheet } from './describe-balances.ts'
import {
  addressBalances,
  addressBalancesQuery,
  balanceSheet,
  chainPath,
  fundedAddresses,
  tokenPath,
} from './model.ts'

const section = 'Balances'

/** Anybody can send an account any number of tokens. */
const LIMITED =
  'Of tokens that are neither listed nor added by the account, at most 200 are told of, unless the operator set another number: those with a price first, then those known the longest.'

export const holdingsOperations = [
  defineOperation({
    name: 'accountBalance',
    kind: 'query',
    field: 'balance',
    rest: 'GET /v1/accounts/{accountId}/balance',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [401, 404, 503],
    section,
    summary: 'What the account has on all chains',
    description: `One entry per token and chain that any of its addresses holds, or has in a pool. ${LIMITED}`,
    input: { path: accountPath },
    output: balanceSheet,
    run: async ({ path }, { services }) => describeSheet(await services.balances.readSheet(path.accountId)),
  }),
  defineOperation({
    name: 'accountChainBalance',
    kind: 'query',
    field: 'chainBalance',
    rest: 'GET /v1/accounts/{accountId}/balance/{chainId}',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 404, 503],
    codes: ['CHAIN_NOT_SUPPORTED'],
    section,
    summary: 'What the account has on one chain',
    description: 'As the balance on all chains.',
    input: { path: chainPath },
    output: balanceSheet,
    run: async ({ path }, { services }) =>
      describeSheet(await services.balances.readSheet(path.accountId, path.chainId)),
  }),
  defineOperation({
    name: 'accountTokenBalance',
    kind: 'query',
    field: 'tokenBalance',
    rest: 'GET /v1/accounts/{accountId}/balance/{chainId}/{token}',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 404, 503],
    codes: ['CHAIN_NOT_SUPPORTED', 'TOKEN_METADATA_UNAVAILABLE'],
    section,
    summary: 'What the account has of one token',
    description:
      'Zeros for a token that was never received. 503 TOKEN_METADATA_UNAVAILABLE when its decimals cannot be learnt.',
    input: { path: tokenPath },
    output: balanceEntry,
    run: async ({ path }, { services }) =>
      describeBalance(await services.balances.readToken(path.accountId, tokenIdOf(path.chainId, path.token))),
  }),
  defineOperation({
    name: 'addressBalances',
    kind: 'query',
    field: 'addressBalances',
    rest: 'GET /v1/accounts/{accountId}/address-balances',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 503],
    codes: ['CHAIN_NOT_SUPPORTED'],
    section,
    summary: 'What each address has',
    description: `Addresses that hold something, in the order in which they were made. ${LIMITED} \`chainId\` and \`token\` together ask for one token, whatever it is.`,
    input: { path: accountPath, query: addressBalancesQuery },
    output: addressBalances,
    run: async ({ path, query }, { services }) => {
      const { purpose: _, dappOrigin, ...filter } = query
      return describeAddressBalances(
        await services.balances.readFundedAddresses(path.accountId, filter),
        dappOrigin,
      )
    },
  }),
  defineOperation({
    name: 'fundedAddresses',
    kind: 'query',
    field: 'fundedAddresses',
    rest: 'GET /v1/accounts/{accountId}/funded-addresses',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [401, 403],
    section,
    summary: 'Addresses that hold something',
    description: `All of them, with what they hold. ${LIMITED}`,
    input: { path: accountPath },
    output: fundedAddresses,
    run: async ({ path }, { services }) =>
      describeFunded((await services.balances.readFundedAddresses(path.accountId, {})).addresses),
  }),
]
