import { publicQuery } from '../define/public-query.ts'
import { z } from 'zod'
import { supportedChain } from './model.ts'

export const chainOperations = [
  publicQuery({
    name: 'supportedChains',
    rest: 'GET /v1/supported-chains',
    section: 'Catalogue',
    summary: 'Chains that are served',
    description: 'In the order of the configuration.',
    input: {},
    output: z.array(supportedChain),
    run: async (_, { services }) => services.supportedChains,
  }),
]
