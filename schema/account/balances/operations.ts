import { chainNotSupported } from '../../../relayer/chain/errors.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { tokenMetadataUnavailable } from '../../../relayer/market/errors.ts'
import { accountQuery } from '../../define/account-operation.ts'
import { tokenIdOf } from '../../../relayer/market/tokens/token-id.ts'
import { balanceEntry } from '../../market/balance-entry.ts'
import {
  describeAddressBalances,
  describeFunded,
  describeHolding,
  describeSheet,
} from './describe-balances.ts'
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
  'Of tokens that are neither listed nor added by the account, the answer has at most 200, unless the operator set another number: those with a price first, then those known the longest.'

export const holdingsOperations = [
  accountQuery({
    name: 'accountBalance',
    instead: 'Account.balances',
    rest: 'GET /v1/accounts/{accountId}/balance',
    limit: 60,
    foreignAccount: accountNotFound,
    section,
    summary: 'Balances on all chains',
    description: `One entry per token and chain that any of its addresses holds, or has in a pool. ${LIMITED}`,
    output: balanceSheet,
    run: async ({ path }, { services }) => describeSheet(await services.balances.readSheet(path.accountId)),
  }),
  accountQuery({
    name: 'accountChainBalance',
    instead: 'Account.balances',
    rest: 'GET /v1/accounts/{accountId}/balance/{chainId}',
    limit: 60,
    errors: [chainNotSupported],
    section,
    summary: 'Balances on one chain',
    description: 'As the balance on all chains.',
    input: { path: chainPath },
    output: balanceSheet,
    run: async ({ path }, { services }) =>
      describeSheet(await services.balances.readSheet(path.accountId, path.chainId)),
  }),
  accountQuery({
    name: 'accountTokenBalance',
    instead: 'Account.balance',
    rest: 'GET /v1/accounts/{accountId}/balance/{chainId}/{token}',
    limit: 60,
    errors: [chainNotSupported, tokenMetadataUnavailable],
    section,
    summary: 'Balance of one token',
    description:
      'Zeros for a token that was never received. 503 TOKEN_METADATA_UNAVAILABLE when its decimals cannot be read.',
    input: { path: tokenPath },
    output: balanceEntry,
    run: async ({ path }, { services }) =>
      describeHolding(await services.balances.readToken(path.accountId, tokenIdOf(path.chainId, path.token))),
  }),
  accountQuery({
    name: 'addressBalances',
    field: 'addressBalances',
    rest: 'GET /v1/accounts/{accountId}/address-balances',
    isCostly: true,
    limit: 60,
    errors: [chainNotSupported],
    section,
    summary: 'Balances of each address',
    description: `Addresses that hold something, in the order in which they were made. ${LIMITED} \`chainId\` and \`token\` together ask for one token, whatever it is.`,
    input: { query: addressBalancesQuery },
    output: addressBalances,
    run: async ({ path, query }, { services }) => {
      const { purpose: _, dappOrigin, ...filter } = query
      return describeAddressBalances(
        await services.balances.explainFundedAddresses(path.accountId, filter),
        dappOrigin === undefined ? null : services.apps.describe(dappOrigin),
      )
    },
  }),
  accountQuery({
    name: 'fundedAddresses',
    field: 'fundedAddresses',
    rest: 'GET /v1/accounts/{accountId}/funded-addresses',
    isCostly: true,
    limit: 60,
    section,
    summary: 'Addresses that hold something',
    description: `All of them, with what they hold. ${LIMITED}`,
    output: fundedAddresses,
    run: async ({ path }, { services }) =>
      describeFunded(await services.balances.readFundedAddresses(path.accountId)),
  }),
]
