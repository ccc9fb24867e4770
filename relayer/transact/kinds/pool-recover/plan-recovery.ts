import { zeroAddress } from 'viem'
import { z } from 'zod'
import {
  insertRecovery,
  isRecoveryTaken,
  type OwnDepositRow,
} from '../../../../db/transact/pool-recoveries.ts'
import { NATIVE_ASSET } from '../../../chain/nodes/config.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/run-effects.ts'
import { hasArrived } from '../check-parties.ts'
import type { QuotePlan } from '../quote-plan.ts'
import type { Ragequit } from './decode-ragequit.ts'
import { recoveryUnderWay } from './errors.ts'
import type { PoolRecoverRequest } from './pool-recover-request.ts'

/** Details of the quote that its refresh needs. */
export const recoveryDetails = z.object({
  commitmentId: z.string(),
  recoverCalldata: z.string().transform((text) => text as `0x${string}`),
  acknowledgedPublicLink: z.boolean(),
})

/** Plans one intent by the depositor: it takes the note back, and pays for the gas out of it. */
export function planRecovery(
  { pool, depositor: address, derivationNonce, asset, chainId }: OwnDepositRow,
  { value, label }: Pick<Ragequit, 'value' | 'label'>,
  { commitmentId, recoverCalldata, acknowledgedPublicLink }: PoolRecoverRequest,
): QuotePlan {
  const token = asset === NATIVE_ASSET ? zeroAddress : asset
  return {
    token,
    funding: { from: 'calls', address, derivationNonce, amount: value },
    transport: 'shared',
    price: 'gas',
    isNativeAtPar: false,
    gasKey: `pool_recover ${pool}`,
    calls: () => [{ to: pool, value: 0n, data: recoverCalldata }],
    amount: 'max',
    decimals: undefined,
    recipient: { address, name: null, owned: true, poisoning: null },
    details: { commitmentId, recoverCalldata, acknowledgedPublicLink },
    effects: PLAIN_EFFECTS,
    checkRun(run, parts) {
      if (!hasArrived(run, token, parts)) throw simulationFailed('The token would not come back whole')
    },
    isVolatile: false,
    outputOf: (amount, described) => ({ token: described, expected: amount, minimum: amount }),
    members: { kind: 'recover', poolAddress: pool, commitmentId },
    async keep(transaction, quote) {
      await insertRecovery(transaction, quote, { chainId, pool, label }).catch((error: unknown) => {
        throw isRecoveryTaken(error) ? recoveryUnderWay() : error
      })
    },
  }
}
