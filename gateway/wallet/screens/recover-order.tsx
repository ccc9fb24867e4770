import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Order, type FormParts, type ReviewParts } from '../parts/order.tsx'
import { ProgressLine } from '../parts/progress.tsx'
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
  return (
    <Order<RecoveryDraft, RecoveryOffer>
      ask={askRecovery}
      make={makeRecovery}
      form={(parts) => <RecoverStart {...parts} draft={draft} leave={leave} />}
      review={(parts) => <ReviewRecovery {...parts} />}
      describe={({ back }) => <p className="figure">{formatToken(back, draft)}</p>}
      texts={TEXTS.recovery}
    />
  )
}

function RecoverStart({
  draft,
  leave,
  isRunning,
  failure,
  doing,
  onReview,
}: FormParts<RecoveryDraft> & { draft: RecoveryDraft; leave: () => void }) {
  const { recovery } = TEXTS
  return (
    <div className="stack">
      <Heading lead={recovery.lead}>{recovery.title}</Heading>
      <div className="sheet stack">
        <p>{recovery.how}</p>
        {doing && <ProgressLine {...doing} />}
        {failure && <Notice kind="bad">{failure}</Notice>}
        <div className="row">
          <button type="button" className="button main" disabled={isRunning} onClick={() => onReview(draft)}>
            {isRunning ? TEXTS.loading : recovery.prove}
          </button>
          <button type="button" className="button plain" onClick={leave}>
            {TEXTS.back}
          </button>
        </div>
      </div>
    </div>
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
