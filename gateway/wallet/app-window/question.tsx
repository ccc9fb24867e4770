import type { ReactNode } from 'react'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Heading } from '../parts/heading.tsx'
import { useGuard } from '../parts/use-guard.ts'
import { TEXTS } from '../texts.ts'

/** The frame of a question of an app: who asks, what for, and the two answers. */
export function QuestionFrame({
  title,
  origin,
  action,
  isReady = true,
  shown,
  refuse,
  agree,
  children,
}: {
  title: string
  /** From the browser. */
  origin: string
  /** The words on the button that agrees. */
  action: string
  /** There is something to agree to. */
  isReady?: boolean
  /** The subject of the decision; the button waits a moment after it changes. */
  shown: unknown
  refuse: () => void
  agree: () => void
  children: ReactNode
}) {
  const isGuarded = !useGuard(shown)
  return (
    <div className="stack">
      <Heading>{title}</Heading>
      <p className="figure asker">
        <ForeignText>{origin}</ForeignText>
      </p>
      {children}
      <div className="decide">
        <button type="button" className="button quiet" onClick={refuse}>
          {TEXTS.apps.refuse}
        </button>
        <button type="button" className="button main" disabled={!isReady || isGuarded} onClick={agree}>
          {action}
        </button>
      </div>
    </div>
  )
}
