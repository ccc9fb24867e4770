import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { OrderStart } from '../parts/order-start.tsx'
import { Order, type ReviewParts } from '../parts/order.tsx'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import {
  askRecovery,
  makeRecovery,
  showsSpends,
  type RecoveryDraft,
  type RecoveryOffer,
} from '../session/ask-recovery.ts'
import { TEXTS } from '../texts.ts'

/** A deposit comes back to the address that made it. */
export function RecoverOrder({ draft, leave }: { draft: RecoveryDraft; leave: () => void }) {
  const { recovery } = TEXTS
  return (
    <Order<RecoveryDraft, RecoveryOffer>
      ask={askRecovery}
      make={makeRecovery}
      form={(parts) => (
        <OrderStart
          {...parts}
          draft={draft}
          leave={leave}
          title={recovery.title}
          lead={recovery.lead}
          how={recovery.how}
          action={recovery.prove}
          asking={TEXTS.loading}
        />
      )}
      review={(parts) => <ReviewRecovery {...parts} />}
      describe={({ back }) => <p className="figure">{formatToken(back, draft)}</p>}
      texts={recovery}
    />
  )
}

function ReviewRecovery({ offer, ...ways }: ReviewParts<RecoveryOffer>) {
  const { draft, note, back, fee, to } = offer
  const { review, recovery } = TEXTS
  return (
    <Review
      title={recovery.review}
      checked={recovery.checked}
      action={recovery.go}
      isOld={hasPassed(offer.expiresAt)}
      {...ways}
    >
      <Fact name={recovery.get} figure={formatToken(back, draft)} />
      <Fact name={review.to} more={recovery.to}>
        <AddressText address={to} />
      </Fact>
      <Fact name={review.fee}>{formatToken(fee, draft)}</Fact>
      <Fact name={review.seen} more={recovery.seen} wait={showsSpends(note) && recovery.spends} />
    </Review>
  )
}
