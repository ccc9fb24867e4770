import { chainNotSupported } from '../../../relayer/chain/errors.ts'
import { serverBusy } from '../../../relayer/errors.ts'
import { WARNINGS } from '../../../relayer/inspect/simulation/simulation.ts'
import { defineOperation } from '../../define/operation.ts'
import { accountForbidden } from '../../define/errors.ts'
import { readCalls, simulateBody, simulation } from './model.ts'

export const simulationOperations = [
  defineOperation({
    name: 'simulate',
    kind: 'query',
    rest: 'POST /v1/simulate',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [accountForbidden, chainNotSupported, serverBusy],
    section: 'Before signing',
    summary: 'What calls would do',
    description:
      'Runs one call, or up to 16 in order, on the newest state: what moves, who gets leave to take what, and what people should know. They run without a gas price and with `from` as the origin; ENVIRONMENT_READ says where a contract looked. Nothing of the request is stored or logged, and nobody but the chain’s node is asked. 403 also for a token without an account.',
    input: { body: simulateBody },
    output: simulation,
    run: async ({ body }, { services, principal }) => {
      if (!principal?.accountId) throw accountForbidden()
      const { warnings, assetChanges, ...ended } = await services.simulations.simulate(
        principal.accountId,
        readCalls(body),
      )
      return {
        ...ended,
        assetChanges: assetChanges.map((change) => ({
          ...change,
          intentIndex: 0,
          tokenId: change.tokenId === null ? null : String(change.tokenId),
        })),
        warnings: warnings.map((warning) => ({ ...warning, message: WARNINGS[warning.code] })),
      }
    },
  }),
]
