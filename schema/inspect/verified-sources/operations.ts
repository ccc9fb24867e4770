import type { Hex } from 'viem'
import {
  codeMismatch,
  sourceNotFound,
  sourcesUnavailable,
} from '../../../relayer/inspect/verified-sources/errors.ts'
import { publicQuery } from '../../define/public-query.ts'
import { sourcifyQuery, verifiedFunction } from './model.ts'

export const verifiedSourceOperations = [
  publicQuery({
    name: 'sourcifyFunction',
    rest: 'GET /v1/clear-signing/sourcify-function',
    limit: 120,
    errors: [sourceNotFound, codeMismatch, sourcesUnavailable],
    section: 'Before signing',
    summary: 'The function of a verified contract',
    description:
      'As its verified source declares it. That the source’s code is the one on chain is checked here, byte by byte; behind a proxy the contract that it points to now is looked at. What is left to believe under `match` is that the sources compile to that code.',
    input: { query: sourcifyQuery },
    output: verifiedFunction,
    run: async ({ query: { chainId, address, selector } }, { services }) => {
      const asked = { chainId, address, selector: selector.toLowerCase() as Hex }
      return { evidenceVersion: 1 as const, ...asked, ...(await services.verifiedSources.find(asked)) }
    },
  }),
]
