import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'
import type { FormParts } from './order.tsx'
import { ProgressLine } from './progress.tsx'

/** The first screen of an order without a choice: its draft is known, and the user goes on or leaves. */
export function OrderStart<Draft>({
  draft,
  leave,
  title,
  lead,
  how,
  action = TEXTS.send.next,
  asking = TEXTS.send.asking,
  isRunning,
  failure,
  doing,
  onReview,
}: FormParts<Draft> & {
  draft: Draft
  leave: () => void
  title: string
  lead: string
  how: string
  action?: string
  /** The words on the button while it asks. */
  asking?: string
}) {
  return (
    <div className="stack">
      <Heading lead={lead}>{title}</Heading>
      <div className="sheet stack">
        <p>{how}</p>
        {doing && <ProgressLine {...doing} />}
        {failure && <Notice kind="bad">{failure}</Notice>}
        <div className="row">
          <button type="button" className="button main" disabled={isRunning} onClick={() => onReview(draft)}>
            {isRunning ? asking : action}
          </button>
          <button type="button" className="button plain" onClick={leave}>
            {TEXTS.back}
          </button>
        </div>
      </div>
    </div>
  )
}
