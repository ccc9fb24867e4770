import { accountNotFound } from '../../../relayer/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import {
  addressesQuery,
  addressPage,
  dappAddressesQuery,
  dappAddressPage,
  issuedAddress,
  ownership,
  ownershipQuery,
  paymentAddressBody,
  addressCursor,
} from './model.ts'
import type { AddressPage, AddressQuery } from '../../../relayer/account/addresses/addresses.ts'
import type { AnswerOf } from '../../define/encode.ts'
import type { z } from 'zod'

const section = 'Addresses'
const DEFAULT_LIMIT = 100

export const addressOperations = [
  accountMutation({
    name: 'createPaymentAddress',
    rest: 'POST /v1/accounts/{accountId}/payment-address',
    status: 201,
    idempotency: 'optional',
    errors: [accountNotFound],
    section,
    summary: 'A one-time address to be paid at',
    description:
      'The same address on every chain. Who asks for very many without using them, or from a network from which very many were asked for, gets the oldest unused one again (`reused: true`) until `limitResetsAt`.',
    input: { body: paymentAddressBody },
    output: issuedAddress,
    run: async ({ path }, { services, client }) => {
      const { derivationNonce, ...issued } = await services.addresses.issue(
        path.accountId,
        'external',
        client.address,
      )
      return { ...issued, nonce: BigInt(derivationNonce) }
    },
  }),
  accountQuery({
    name: 'addresses',
    instead: 'Account.addresses',
    rest: 'GET /v1/accounts/{accountId}/addresses',
    isCostly: true,
    limit: 60,
    section,
    summary: 'The account’s one-time addresses',
    description: 'Oldest first.',
    input: { query: addressesQuery },
    output: addressPage,
    run: async ({ path, query }, { services }) => {
      const asked = readAddressQuery(query, DEFAULT_LIMIT)
      return describeAddresses(await services.addresses.browse(path.accountId, asked), asked)
    },
  }),
  accountQuery({
    name: 'addressOwnership',
    field: 'addressOwnership',
    rest: 'GET /v1/accounts/{accountId}/address-ownership',
    limit: 60,
    section,
    summary: 'Whether an address is one of the account’s',
    description: 'Says nothing of other accounts’ addresses.',
    input: { query: ownershipQuery },
    output: ownership,
    run: async ({ path, query }, { services }) => ({
      owned: await services.addresses.owns(path.accountId, query.address),
    }),
  }),
  accountQuery({
    name: 'dappAddresses',
    field: 'dappAddresses',
    instead: 'Account.apps',
    rest: 'GET /v1/accounts/{accountId}/dapp-addresses',
    limit: 60,
    section,
    summary: 'Which apps were shown which addresses',
    description: 'The latest use first.',
    input: { query: dappAddressesQuery },
    output: dappAddressPage,
    run: async ({ path, query }, { services }) =>
      services.addresses.listDappAddresses(path.accountId, {
        limit: query.limit ?? DEFAULT_LIMIT,
        offset: query.offset ?? 0,
      }),
  }),
]

/** A page of addresses, with the holdings of each if they were asked for. */
function describeAddresses(
  page: AddressPage,
  { includeSummary }: AddressQuery,
): AnswerOf<typeof addressPage> {
  return {
    items: page.items.map(({ facts, usedApps, derivationNonce, ...item }) => {
      const { balances, totalUsdBalance, ...flags } = facts
      return {
        ...item,
        ...flags,
        nonce: derivationNonce,
        ...(includeSummary && { summary: { balances, totalUsdBalance, usedApps } }),
      }
    }),
    total: page.total,
    nextCursor: page.next === null ? null : addressCursor.encode(page.next),
    checkedChainIds: page.checkedChainIds,
  }
}

/** Converts the query parameters into the selection of addresses. */
function readAddressQuery(query: z.output<typeof addressesQuery>, defaultLimit: number): AddressQuery {
  const { address, activity, hasBalance, usedWithApps } = query
  const hasActivity = activity === undefined ? undefined : ACTIVITY[activity.toLowerCase()]
  return {
    filter: {
      ...(address !== undefined && { address }),
      ...(hasActivity !== undefined && { hasActivity }),
      ...(hasBalance !== undefined && { hasBalance }),
      ...(usedWithApps !== undefined && { usedWithApps }),
    },
    includeSummary: query.includeSummary ?? false,
    after: query.cursor ?? null,
    limit: query.limit ?? defaultLimit,
  }
}

/** The contract does not list the words that it accepts. */
const ACTIVITY: Readonly<Record<string, boolean | undefined>> = {
  used: true,
  active: true,
  true: true,
  unused: false,
  inactive: false,
  false: false,
}
