import { formatToken } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
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
      form={({ isRunning, failure, onReview }) => (
        <div className="stack">
          <Heading lead={giveBack.lead}>{giveBack.title}</Heading>
          <div className="sheet stack">
            <p>{giveBack.how}</p>
            {failure && <Notice kind="bad">{failure}</Notice>}
            <div className="row">
              <button
                type="button"
                className="button main"
                disabled={isRunning}
                onClick={() => onReview(draft)}
              >
                {isRunning ? TEXTS.send.asking : TEXTS.send.next}
              </button>
              <button type="button" className="button plain" onClick={leave}>
                {TEXTS.back}
              </button>
            </div>
          </div>
        </div>
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
