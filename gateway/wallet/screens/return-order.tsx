import { formatToken } from '../parts/format.ts'
import { OrderStart } from '../parts/order-start.tsx'
import { Order, type ReviewParts } from '../parts/order.tsx'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import { askReturn, makeReturn, type ReturnDraft, type ReturnOffer } from '../session/ask-cash-out.ts'
import { TEXTS } from '../texts.ts'

/** The unsold part of a sale comes back, and the sale ends. */
export function ReturnOrder({ draft, leave }: { draft: ReturnDraft; leave: () => void }) {
  const { giveBack } = TEXTS
  return (
    <Order<ReturnDraft, ReturnOffer>
      ask={askReturn}
      make={makeReturn}
      form={(parts) => (
        <OrderStart
          {...parts}
          draft={draft}
          leave={leave}
          title={giveBack.title}
          lead={giveBack.lead}
          how={giveBack.how}
        />
      )}
      review={(parts) => <ReviewReturn {...parts} />}
      describe={({ back }) => <p className="figure">{formatToken(back, draft)}</p>}
      texts={giveBack}
    />
  )
}

function ReviewReturn({ offer, ...ways }: ReviewParts<ReturnOffer>) {
  const { draft, back, fee } = offer
  const { review, giveBack } = TEXTS
  return (
    <Review
      title={giveBack.review}
      checked={giveBack.checked}
      action={giveBack.go}
      isOld={hasPassed(offer.expiresAt)}
      {...ways}
    >
      <Fact name={giveBack.get} figure={formatToken(back, draft)} more={giveBack.to} />
      <Fact name={review.fee}>{formatToken(fee, draft)}</Fact>
    </Review>
  )
}
