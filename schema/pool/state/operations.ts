import { poolStateRefreshing } from '../../../relayer/pool/errors.ts'
import { z } from 'zod'
import { defineOperation } from '../../define/operation.ts'
import { addressText, amount, chainId, digits } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { chainName } from '../../market/describe-balance.ts'

const associationSetProvider = shape('AssociationSetProvider', 'The approver of deposits.', {
  name: described(z.string(), 'Name of the association set provider.'),
  policyUrl: described(
    z.string().nullable(),
    'URL of the rules by which deposits are approved; null where none is published.',
  ),
})

export const supportedPool = shape('SupportedPool', 'A pool that is served.', {
  provider: described(z.string(), 'Protocol of the pool’s contracts.', { examples: ['privacy-pools'] }),
  poolAddress: described(addressText, 'Contract of the pool, EIP-55 checksummed.'),
  chainId,
  chainName,
  token: described(addressText, 'Contract of the pool’s token; the zero address is the native coin.'),
  tokenSymbol: described(z.string(), 'Symbol of the token, as the operator configured it.'),
  decimals: described(z.int(), 'Decimals of the token: a whole token is 10^decimals smallest units.'),
  logoUrl: described(z.string().nullable(), 'URL of a picture of the token; null without one.'),
  minDeposit: described(amount, 'Smallest deposit that the Entrypoint takes, in the smallest unit.'),
  maxDeposit: described(amount, 'Largest deposit, in the smallest unit.'),
  totalBalance: described(amount, 'Amount of the token in the pool, in the smallest unit.'),
  scope: described(digits, 'keccak256(pool, chainId, asset) mod Fr, in decimal digits.'),
  asp: associationSetProvider,
  maxRelayFeeBPS: described(
    z.number(),
    'Largest relay fee that the pool allows, in basis points of the amount withdrawn.',
  ),
  withdrawalFeePerProofWei: described(digits, 'Cost of relaying one proof at today’s gas price, in wei.'),
})

export const poolOperations = [
  defineOperation({
    name: 'supportedPools',
    kind: 'query',
    rest: 'GET /v1/supported-pools',
    status: 200,
    access: 'bearer',
    errors: [poolStateRefreshing],
    section: 'Catalogue',
    summary: 'Pools that are served',
    description:
      'With what their contracts say now. Some pools are shown only to accounts that have their feature.',
    input: {},
    output: z.array(supportedPool),
    run: async (_, { services, principal }) =>
      (await services.supportedPools.list(principal?.accountId ?? null)).map((pool) => ({
        ...pool,
        maxRelayFeeBPS: Number(pool.maxRelayFeeBps),
      })),
  }),
]
