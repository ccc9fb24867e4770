import { accountPath } from '../../define/account-path.ts'
import { defineOperation } from '../../define/operation.ts'
import { describeAddresses } from './describe-addresses.ts'
import {
  addressesQuery,
  addressPage,
  dappAddressesQuery,
  dappAddressPage,
  issuedAddress,
  ownership,
  ownershipQuery,
  paymentAddressBody,
} from './model.ts'
import { readAddressQuery } from './read-address-query.ts'

const section = 'Addresses'
const DEFAULT_LIMIT = 100

export const addressOperations = [
  defineOperation({
    name: 'createPaymentAddress',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/payment-address',
    status: 201,
    access: 'bearer',
    idempotency: 'optional',
    errors: [],
    section,
    summary: 'A one-time address to be paid at',
    description:
      'The same address on every chain. Who asks for very many without using them gets the oldest unused one again (`reused: true`) until `limitResetsAt`.',
    input: { path: accountPath, body: paymentAddressBody },
    output: issuedAddress,
    run: async ({ path }, { services }) => {
      const { derivationNonce, ...issued } = await services.addresses.issue(path.accountId, 'external')
      return { ...issued, nonce: BigInt(derivationNonce) }
    },
  }),
  defineOperation({
    name: 'addresses',
    kind: 'query',
    field: 'addresses',
    rest: 'GET /v1/accounts/{accountId}/addresses',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 429],
    section,
    summary: 'The account’s one-time addresses',
    description: 'Oldest first.',
    input: { path: accountPath, query: addressesQuery },
    output: addressPage,
    run: async ({ path, query }, { services }) => {
      const asked = readAddressQuery(query, DEFAULT_LIMIT)
      return describeAddresses(await services.addresses.browse(path.accountId, asked), asked)
    },
  }),
  defineOperation({
    name: 'addressOwnership',
    kind: 'query',
    field: 'addressOwnership',
    rest: 'GET /v1/accounts/{accountId}/address-ownership',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 429],
    section,
    summary: 'Whether an address is one of the account’s',
    description: 'Says nothing of other accounts’ addresses.',
    input: { path: accountPath, query: ownershipQuery },
    output: ownership,
    run: async ({ path, query }, { services }) => ({
      owned: await services.addresses.owns(path.accountId, query.address),
    }),
  }),
  defineOperation({
    name: 'dappAddresses',
    kind: 'query',
    field: 'dappAddresses',
    rest: 'GET /v1/accounts/{accountId}/dapp-addresses',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [401, 403, 429],
    section,
    summary: 'Which apps were shown which addresses',
    description: 'The latest use first.',
    input: { path: accountPath, query: dappAddressesQuery },
    output: dappAddressPage,
    run: async ({ path, query }, { services }) =>
      services.addresses.listDappAddresses(path.accountId, {
        limit: query.limit ?? DEFAULT_LIMIT,
        offset: query.offset ?? 0,
      }),
  }),
]
