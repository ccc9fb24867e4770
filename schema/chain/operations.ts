import { z } from 'zod'
import { defineOperation } from '../define/operation.ts'
import { supportedChain } from './model.ts'

export const chainOperations = [
  defineOperation({
    name: 'supportedChains',
    kind: 'query',
    rest: 'GET /v1/supported-chains',
    status: 200,
    access: 'public',
    errors: [],
    section: 'Catalogue',
    summary: 'Chains that are served',
    description: 'In the order of the configuration.',
    input: {},
    output: z.array(supportedChain),
    run: async (_, { services }) => services.supportedChains,
  }),
]
