import { useEffect, useState, type ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

const LOOK_MS = 1_000

/** The screen of a decision: facts, the checks of this device, and the two ways on. */
export function Review({
  title,
  checked,
  action,
  isOld,
  isRunning = false,
  back,
  onAgain,
  onGo,
  children,
}: {
  title: string
  /** The checks of this device, in words. */
  checked: string
  /** The words on the button that signs. */
  action: string
  /** Asked every second: an old offer is not signed. */
  isOld: () => boolean
  isRunning?: boolean
  back: () => void
  /** Asks for a new offer; without it only the way back is open. */
  onAgain?: () => void
  onGo: () => void
  children: ReactNode
}) {
  const isStale = useLook(isOld)
  return (
    <div className="stack">
      <Heading>{title}</Heading>
      <dl className="sheet review">{children}</dl>
      <p className="hint checked">
        <Icon name="done" size={18} />
        {checked}
      </p>
      {isStale && <Notice kind="wait">{TEXTS.review.expired}</Notice>}
      <div className="decide">
        <button type="button" className="button quiet" onClick={back}>
          {TEXTS.back}
        </button>
        {isStale && onAgain ? (
          <button type="button" className="button main" disabled={isRunning} onClick={onAgain}>
            {TEXTS.review.again}
          </button>
        ) : (
          <button type="button" className="button main" disabled={isStale} onClick={onGo}>
            {action}
          </button>
        )}
      </div>
    </div>
  )
}

/** A line of a review: its name, the fact, and what explains it. */
export function Fact({
  name,
  children,
  figure,
  more,
  wait,
}: {
  name: string
  children?: ReactNode
  /** The largest words on the screen. */
  figure?: string
  more?: ReactNode
  /** A reason to hesitate. */
  wait?: ReactNode
}) {
  return (
    <div>
      <dt>{name}</dt>
      {figure && <dd className="figure">{figure}</dd>}
      {children && <dd className={figure ? '' : 'strong'}>{children}</dd>}
      {more && <dd className="quiet">{more}</dd>}
      {wait && <dd className="wait">{wait}</dd>}
    </div>
  )
}

/** Asks every second. */
export function useLook(isOld: () => boolean): boolean {
  const [isStale, setStale] = useState(isOld)
  useEffect(() => {
    setStale(isOld())
    const timer = setInterval(() => setStale(isOld()), LOOK_MS)
    return () => clearInterval(timer)
  }, [isOld])
  return isStale
}

/** Since that moment. */
export const hasPassed = (moment: Date) => () => moment.getTime() <= Date.now()
