import { useEffect, useState } from 'react'
import { formatToken } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { findChain } from '../read-settings.ts'
import type { SwapOffer } from '../session/ask-swap.ts'
import { TEXTS } from '../texts.ts'

const LOOK_MS = 1_000

/** Everything that a person decides on, in words, before a swap is signed. */
export function ReviewSwap({
  offer,
  isRunning,
  back,
  onAgain,
  onSwap,
}: {
  offer: SwapOffer
  isRunning: boolean
  back: () => void
  onAgain: () => void
  onSwap: () => void
}) {
  const { draft, quote, expected, least, fee, payers } = offer
  const isStale = useStale(offer)
  const { review, swap } = TEXTS
  return (
    <div className="stack">
      <Heading>{swap.review}</Heading>
      <dl className="sheet review">
        <div>
          <dt>{swap.give}</dt>
          <dd className="figure">{formatToken(draft.amount, draft.from, { whole: true })}</dd>
          <dd className="quiet">{findChain(draft.chainId)?.name}</dd>
        </div>
        <div>
          <dt>{swap.get}</dt>
          <dd className="figure">{formatToken(expected, draft.to)}</dd>
          <dd className="quiet">{swap.least(formatToken(least, draft.to))}</dd>
        </div>
        <div>
          <dt>{review.fee}</dt>
          <dd className="strong">{formatToken(fee, draft.from)}</dd>
          <dd className="quiet">{swap.leaves(formatToken(quote.amountIn, draft.from))}</dd>
        </div>
        <div>
          <dt>{review.seen}</dt>
          <dd className={payers > 1 ? 'wait' : ''}>{payers > 1 ? review.joined(payers) : review.one}</dd>
          {offer.isLinked && <dd className="wait">{swap.linked}</dd>}
        </div>
      </dl>
      <p className="hint checked">
        <Icon name="done" size={18} />
        {swap.checked}
      </p>
      {isStale && <Notice kind="wait">{review.expired}</Notice>}
      <div className="decide">
        <button type="button" className="button quiet" onClick={back}>
          {TEXTS.back}
        </button>
        {isStale ? (
          <button type="button" className="button main" disabled={isRunning} onClick={onAgain}>
            {swap.again}
          </button>
        ) : (
          <button type="button" className="button main" onClick={onSwap}>
            {swap.title}
          </button>
        )}
      </div>
    </div>
  )
}

/** True once the offer's price is old. */
function useStale(offer: SwapOffer): boolean {
  const [isStale, setStale] = useState(false)
  useEffect(() => {
    setStale(false)
    const timer = setInterval(() => setStale(offer.isStale()), LOOK_MS)
    return () => clearInterval(timer)
  }, [offer])
  return isStale
}
