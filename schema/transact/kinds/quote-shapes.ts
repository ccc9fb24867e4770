import type { MaxRequest, QuoteRequest } from '../../../relayer/transact/kinds/quote-kinds.ts'
import { z } from 'zod'
import { address } from '../../define/scalars.ts'
import { described, type Members } from '../../define/shape.ts'
import type { KindShapes } from './kind-shapes.ts'
import { poolAddress } from './pool-members.ts'
import { dappCallShapes } from './dapp-call/dapp-call-shapes.ts'
import { offrampShapes } from './offramp/offramp-shapes.ts'
import { offrampWithdrawShapes } from './offramp-withdraw/offramp-withdraw-shapes.ts'
import { poolDepositShapes } from './pool-deposit/pool-deposit-shapes.ts'
import { sendShapes } from './send/send-shapes.ts'
import { swapShapes } from './swap/swap-shapes.ts'

/** Every kind of quote, by the `type` that requests give it. */
const shapes: Readonly<
  Record<Exclude<QuoteRequest['kind'], 'pool_recover' | 'nft_withdraw'>, KindShapes<QuoteRequest, MaxRequest>>
> = {
  send: sendShapes,
  swap: swapShapes,
  pool_deposit: poolDepositShapes,
  dapp_call: dappCallShapes,
  offramp: offrampShapes,
  offramp_withdraw: offrampWithdrawShapes,
}

/** Members that only the answer of `pool-recover/prepare` has; otherwise it is a quote. */
const recoverAnswer: Members = {
  kind: described(z.literal('recover').nullish(), '`recover` where a deposit is taken back; else absent.'),
  poolAddress,
  commitmentId: described(z.string().nullish(), 'The note that is taken back; absent for other quotes.'),
}

/** Members that only the answer of `collectible/withdraw` has; otherwise it is a quote. */
const withdrawAnswer: Members = {
  depositAddress: described(
    address.nullish(),
    'The account’s address that the collectible leaves; absent for other quotes.',
  ),
  recipientAddress: described(address.nullish(), 'Who gets the collectible; absent for other quotes.'),
  tokenId: described(
    z.string().nullish(),
    'Number of the collectible, whose contract is `outputToken`; absent for other quotes.',
  ),
}

/** Members of the answer that only one kind has, by every kind of quote. */
export const ANSWERS_OF_KINDS = {
  ...(Object.fromEntries(Object.entries(shapes).map(([kind, { answer }]) => [kind, answer])) as Record<
    keyof typeof shapes,
    Members
  >),
  pool_recover: recoverAnswer,
  nft_withdraw: withdrawAnswer,
}
/** The name of a kind of quote. */
export type AnsweredKind = keyof typeof ANSWERS_OF_KINDS

export type QuoteType = keyof typeof shapes

export const QUOTE_TYPES = Object.keys(shapes) as [QuoteType, ...QuoteType[]]

/** The API's part of a kind. */
export const shapesOf = (type: QuoteType): KindShapes<QuoteRequest, MaxRequest> => shapes[type]

/**
 * The members that the kinds add to a shared shape.
 * @throws Error when two kinds use one name for different members.
 */
export function membersOfKinds(part: 'request' | 'maxRequest' | 'answer'): Members {
  const all: Record<string, Members[string]> =
    part === 'answer' ? { ...recoverAnswer, ...withdrawAnswer } : {}
  for (const [type, kind] of Object.entries(shapes))
    for (const [name, member] of Object.entries(kind[part])) {
      if (all[name] !== undefined && all[name] !== member)
        throw new Error(`${type} has another ${name} than the kinds before it`)
      all[name] = member
    }
  return all
}
