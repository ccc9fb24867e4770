import { isAddress } from 'viem'
import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import { findChain } from '../read-settings.ts'
import type { Offer } from '../session/ask-payment.ts'
import { TEXTS } from '../texts.ts'
import { Payers } from './review-swap.tsx'

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
  const { review } = TEXTS
  const amount = formatToken(draft.amount, draft, { whole: true })
  const percent = Number((fee * 1_000n) / draft.amount) / 10
  return (
    <Review
      title={review.title}
      checked={review.checked}
      action={review.send(amount)}
      isOld={hasPassed(offer.expiresAt)}
      back={back}
      onGo={onSend}
    >
      <Fact name={review.youSend} figure={amount} more={findChain(draft.chainId)?.name} />
      <Fact name={review.to} more={offer.isOwn ? review.own : review.compare}>
        {!isAddress(draft.destination, { strict: false }) && (
          <span className="plain">{review.named(draft.destination)}</span>
        )}
        <AddressText address={recipient} />
      </Fact>
      <Fact
        name={review.fee}
        more={describeFee(offer)}
        wait={percent > HIGH_PERCENT && review.high(`${percent}%`)}
      >
        {formatToken(fee, draft)}
      </Fact>
      <Fact name={review.total}>{formatToken(quote.amountIn, draft)}</Fact>
      <Fact name={review.seen} wait={offer.isLinked && review.linked}>
        <Payers count={payers} />
      </Fact>
    </Review>
  )
}

function describeFee({ draft, quote: { fees } }: Offer): string {
  const { network, service, waived } = TEXTS.review
  const taken = fees.waived ? waived : service(formatToken(fees.service, draft))
  return `${network(formatToken(fees.network, draft))} ${taken}`
}
