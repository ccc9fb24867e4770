import { z } from 'zod'
import type { SupportedPool } from '../../../relayer/pool/state/supported-pools.ts'
import { defineOperation } from '../../define/operation.ts'
import { supportedPool } from './model.ts'

export const poolOperations = [
  defineOperation({
    name: 'supportedPools',
    kind: 'query',
    rest: 'GET /v1/supported-pools',
    status: 200,
    access: 'bearer',
    errors: [],
    codes: ['POOL_STATE_REFRESHING'],
    section: 'Catalogue',
    summary: 'Pools that are served',
    description:
      'With what their contracts say now. Some pools are shown only to accounts that have their feature.',
    input: {},
    output: z.array(supportedPool),
    run: async (_, { services, principal }) =>
      (await services.supportedPools.list(principal?.accountId ?? null)).map(poolToWire),
  }),
]

function poolToWire({ maxRelayFeeBps, ...pool }: SupportedPool): z.input<typeof supportedPool> {
  return {
    ...pool,
    minDeposit: String(pool.minDeposit),
    maxDeposit: String(pool.maxDeposit),
    totalBalance: String(pool.totalBalance),
    scope: String(pool.scope),
    maxRelayFeeBPS: Number(maxRelayFeeBps),
    withdrawalFeePerProofWei: String(pool.withdrawalFeePerProofWei),
  }
}
