import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'

/** The end of an order that failed: `isUnsent` if no money moved for sure. */
export function NotSent({
  title,
  text,
  isUnsent,
  back,
}: {
  title: string
  text: string
  isUnsent: boolean
  back: () => void
}) {
  const { lead, unsure, activity, again } = TEXTS.notSent
  return (
    <div className="stack">
      <Heading lead={isUnsent ? lead : unsure.lead}>{isUnsent ? title : unsure.title}</Heading>
      <Notice kind="bad">{text}</Notice>
      {isUnsent || (
        <a className="button main" href="#/activity">
          {activity}
        </a>
      )}
      <button type="button" className={isUnsent ? 'button main' : 'button quiet'} onClick={back}>
        {again}
      </button>
    </div>
  )
}
