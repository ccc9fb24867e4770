import {
  findLiveRecovery,
  insertRecovery,
  isRecoveryTaken,
  type OwnDepositRow,
} from '../../../../db/transact/pool-recoveries.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { hasArrived } from '../check-parties.ts'
import { usualKind, type KindContext, type QuoteKind, type RequestBase } from '../quote-kind.ts'
import type { QuotePlan } from '../quote-plan.ts'
import { checkNote, demandDeposit } from './check-recovery.ts'
import { decodeRagequit, type Ragequit } from './decode-ragequit.ts'
import { alreadyRecovered, recoveryUnderWay } from './errors.ts'
import { zeroAddress, type Hex } from 'viem'
import { z } from 'zod'
import { NATIVE_ASSET } from '../../../chain/nodes/config.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/run-effects.ts'

/** Details of the quote that its refresh needs. */
const recoveryDetails = z.object({
  commitmentId: z.string(),
  recoverCalldata: z.string().transform((text) => text as `0x${string}`),
  acknowledgedPublicLink: z.boolean(),
})

/** Plans one intent by the depositor: it takes the note back, and pays for the gas out of it. */
function planRecovery(
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

/** The depositor takes back the rest of a deposit in public; what comes back pays for the gas. */
export const poolRecoverKind: QuoteKind<PoolRecoverRequest, never> = {
  ...usualKind,
  plan: (context, request) => plan(context, request, false),
  planAgain: (context, { details }) => {
    const { chainId } = context.sending
    return plan(
      context,
      { kind: 'pool_recover', chainId, ttl: undefined, ...recoveryDetails.parse(details) },
      true,
    )
  },
  planMax: () => Promise.reject(new Error('nobody asks for the most that can be recovered')),
  checkSubmission(run, { token }, parts) {
    if (!hasArrived(run, token, parts))
      throw quoteRefreshRequired('The token would not come back whole: refresh the quote')
  },
  activity: () => ({ kind: 'POOL_RECOVER', isExchange: false }),
}

/** @param isRefresh The quote to be replaced already holds the deposit. */
async function plan(
  context: KindContext,
  request: PoolRecoverRequest,
  isRefresh: boolean,
): Promise<QuotePlan> {
  const { database, accountId } = context
  const note = decodeRagequit(request.recoverCalldata)
  const deposit = await demandDeposit(context, accountId, note.label)
  const { chainId, pool } = deposit
  const other = isRefresh
    ? null
    : await findLiveRecovery(database, accountId, { chainId, pool, label: note.label })
  if (other?.isDone) throw alreadyRecovered()
  if (other) throw recoveryUnderWay({ details: { quoteId: other.quoteId } })
  await checkNote(context, deposit, note, request)
  return planRecovery(deposit, note, request)
}

/** Request to take a note back in public. */
interface PoolRecoverRequest extends RequestBase {
  kind: 'pool_recover'
  /** The deposit's label; for a change note followed by `-` and its withdrawalIndex, as in `pool/commitments`. */
  commitmentId: string
  /** The pool's `ragequit(proof)`. */
  recoverCalldata: Hex
  /** The user accepts that earlier withdrawals of the deposit become public as the depositor's. */
  acknowledgedPublicLink: boolean
}
