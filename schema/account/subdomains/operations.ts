import {
  accountHasName,
  nameLookupsExhausted,
  nameNotAvailable,
  nameNotServed,
} from '../../../relayer/account/subdomains/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { publicQuery } from '../../define/operation.ts'
import {
  checkQuery,
  claimBody,
  claimed,
  lookupAnswer,
  lookupBody,
  lookupPath,
  nameCheck,
  suggested,
} from './model.ts'

const section = 'Names'
const LOOKUPS_PER_MINUTE = 60

export const subdomainOperations = [
  publicQuery({
    name: 'subdomainCheck',
    rest: 'GET /v1/subdomain/check',
    section,
    summary: 'Whether a name is to be had',
    description:
      'A name has 3 to 32 characters of a–z, 0–9 and inner hyphens once it is normalised by ENSIP-15; 400 for text that cannot be one. Nothing keeps a free name free until it is claimed.',
    input: { query: checkQuery },
    output: nameCheck,
    run: async ({ query }, { services }) =>
      services.subdomains.check({ name: query.name, inviteCode: query.inviteCode }),
  }),
  accountMutation({
    name: 'claimSubdomain',
    rest: 'POST /v1/accounts/{accountId}/subdomain',
    errors: [nameNotAvailable, accountHasName],
    section,
    summary: 'Claim a name',
    description:
      'One per account, for good; asking again for the same one is no error. Of several accounts at once, one gets it and the others 409. A name that is reserved for an invite code goes to the account that was created with that code, or that gives it here.',
    input: { body: claimBody },
    output: claimed,
    run: async ({ path, body }, { services }) => ({
      success: true,
      message: 'The name is yours',
      subdomain: await services.subdomains.claim(path.accountId, {
        name: body.subdomain,
        inviteCode: body.inviteCode,
      }),
    }),
  }),
  accountQuery({
    name: 'suggestSubdomain',
    rest: 'GET /v1/accounts/{accountId}/subdomain/generate',
    section,
    summary: 'A random free name',
    description: 'Two short words. It is free now; this request does not reserve it.',
    output: suggested,
    run: async (_, { services }) => ({ subdomain: await services.subdomains.suggest() }),
  }),
  publicQuery({
    name: 'lookUpName',
    rest: 'GET /ccip/{sender}/{callData}',
    limit: LOOKUPS_PER_MINUTE,
    errors: [nameNotServed, nameLookupsExhausted],
    section,
    summary: 'Resolve a name, as wallets do (CCIP-Read)',
    description:
      'ERC-3668 gateway of the parent name’s resolver, by ENSIP-10: give `<this service>/ccip/{sender}/{data}.json` as its URL. `addr(node)` and `addr(node, coinType)` of the chains served are answered with an address of the account that nobody else got; a network that asks often gets its own last one again, and 429 NAME_LOOKUPS_EXHAUSTED is the answer when a name was looked up too often by others. Other records are empty, unknown names resolve to nothing. The answer is signed for the resolver that asks and expires soon.',
    input: { path: lookupPath },
    output: lookupAnswer,
    run: async ({ path }, { services, client }) => ({
      data: await services.nameGateway.answer({ sender: path.sender, data: path.callData }, client.address),
    }),
  }),
  publicQuery({
    name: 'lookUpNameByPost',
    rest: 'POST /ccip',
    limit: LOOKUPS_PER_MINUTE,
    errors: [nameNotServed, nameLookupsExhausted],
    section,
    summary: 'Resolve a name, the question in the body',
    description: 'The same for resolvers whose gateway URL has no `{data}`: `<this service>/ccip`.',
    input: { body: lookupBody },
    output: lookupAnswer,
    run: async ({ body }, { services, client }) => ({
      data: await services.nameGateway.answer(body, client.address),
    }),
  }),
]
