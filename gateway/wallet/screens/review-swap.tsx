import { describeWait, formatMoment, formatToken } from '../parts/format.ts'
import type { ReviewParts } from '../parts/order.tsx'
import { Fact, Review } from '../parts/review.tsx'
import { findChain } from '../read-settings.ts'
import type { SwapOffer } from '../session/ask-swap.ts'
import { TEXTS } from '../texts.ts'

/** Everything that a person decides on, in words, before a swap is signed. */
export function ReviewSwap({ offer, ...ways }: ReviewParts<SwapOffer>) {
  const { draft, quote, expected, least, fee, payers, crossing } = offer
  const { review, swap } = TEXTS
  return (
    <Review title={swap.review} checked={swap.checked} action={swap.title} isOld={offer.isStale} {...ways}>
      <Fact
        name={swap.give}
        figure={formatToken(draft.amount, draft.from, { whole: true })}
        more={findChain(draft.chainId)?.name}
      />
      <Fact
        name={swap.get}
        figure={formatToken(expected, draft.to)}
        more={swap.least(formatToken(least, draft.to))}
      />
      {crossing && (
        <Fact name={swap.arrives} more={swap.refund(formatMoment(crossing.deadline.toISOString()))}>
          {swap.carried(findChain(draft.toChainId)?.name ?? '', describeWait(crossing.estimatedMs))}
        </Fact>
      )}
      <Fact name={review.fee} more={swap.leaves(formatToken(quote.amountIn, draft.from))}>
        {formatToken(fee, draft.from)}
      </Fact>
      <Fact name={review.seen} wait={offer.isLinked && swap.linked}>
        <Payers count={payers} />
      </Fact>
    </Review>
  )
}

/** The number of addresses that pay, and what observers see of it. */
export function Payers({ count }: { count: number }) {
  const { review } = TEXTS
  return (
    <span className={`plain ${count > 1 ? 'wait' : ''}`}>
      {count > 1 ? review.joined(count) : review.one}
    </span>
  )
}
