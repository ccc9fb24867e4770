import { poolStateRefreshing } from '../../../relayer/pool/errors.ts'
import { z } from 'zod'
import { defineOperation } from '../../define/operation.ts'
import { supportedPool } from './model.ts'

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
