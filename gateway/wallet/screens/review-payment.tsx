import { useEffect, useState } from 'react'
import { isAddress } from 'viem'
import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { findChain } from '../read-settings.ts'
import type { Offer } from '../session/ask-payment.ts'
import { TEXTS } from '../texts.ts'

/** A fee above this part of the amount is said in words, in percent. */
const HIGH_PERCENT = 5

/** Everything that a person decides on, in words, before anything is signed. */
export function ReviewPayment({
  offer,
  back,
  onSend,
}: {
  offer: Offer
  back: () => void
  onSend: () => void
}) {
  const { draft, quote, recipient, fee, payers } = offer
  const isOld = useExpired(offer.expiresAt)
  const { review } = TEXTS
  const amount = formatToken(draft.amount, draft, { whole: true })
  const percent = Number((fee * 1_000n) / draft.amount) / 10
  return (
    <div className="stack">
      <Heading>{review.title}</Heading>
      <dl className="sheet review">
        <div>
          <dt>{review.youSend}</dt>
          <dd className="figure">{amount}</dd>
          <dd className="quiet">{findChain(draft.chainId)?.name}</dd>
        </div>
        <div>
          <dt>{review.to}</dt>
          {!isAddress(draft.destination, { strict: false }) && <dd>{review.named(draft.destination)}</dd>}
          <dd>
            <AddressText address={recipient} />
          </dd>
          <dd className="quiet">{offer.isOwn ? review.own : review.compare}</dd>
        </div>
        <div>
          <dt>{review.fee}</dt>
          <dd className="strong">{formatToken(fee, draft)}</dd>
          <dd className="quiet">{describeFee(offer)}</dd>
          {percent > HIGH_PERCENT && <dd className="wait">{review.high(`${percent}%`)}</dd>}
        </div>
        <div>
          <dt>{review.total}</dt>
          <dd className="strong">{formatToken(quote.amountIn, draft)}</dd>
        </div>
        <div>
          <dt>{review.seen}</dt>
          <dd className={payers > 1 ? 'wait' : ''}>{payers > 1 ? review.joined(payers) : review.one}</dd>
          {offer.isLinked && <dd className="wait">{review.linked}</dd>}
        </div>
      </dl>
      <p className="hint checked">
        <Icon name="done" size={18} />
        {review.checked}
      </p>
      {isOld && <Notice kind="wait">{review.expired}</Notice>}
      <div className="decide">
        <button type="button" className="button quiet" onClick={back}>
          {TEXTS.back}
        </button>
        <button type="button" className="button main" disabled={isOld} onClick={onSend}>
          {review.send(amount)}
        </button>
      </div>
    </div>
  )
}

function describeFee({ draft, quote: { fees } }: Offer): string {
  const { network, service, waived } = TEXTS.review
  const taken = fees.waived ? waived : service(formatToken(fees.service, draft))
  return `${network(formatToken(fees.network, draft))} ${taken}`
}

function useExpired(moment: Date): boolean {
  const [isExpired, setExpired] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), Math.min(moment.getTime() - Date.now(), 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [moment])
  return isExpired
}
