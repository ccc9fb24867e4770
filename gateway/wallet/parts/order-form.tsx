import type { ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { Form } from './form.tsx'
import { Heading } from './heading.tsx'
import { Notice } from './notice.tsx'

/** The frame of a form that asks for an offer. */
export function OrderForm({
  title,
  lead,
  isRunning,
  failure,
  asking,
  onSubmit,
  children,
}: {
  title: string
  lead: string
  isRunning: boolean
  failure: string | null
  /** The words on the button while it asks. */
  asking: string
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <Form onSubmit={onSubmit}>
      <Heading lead={lead}>{title}</Heading>
      <div className="sheet stack">
        {children}
        {failure && <Notice kind="bad">{failure}</Notice>}
        <button type="submit" className="button main wide" disabled={isRunning}>
          {isRunning ? asking : TEXTS.send.next}
        </button>
      </div>
    </Form>
  )
}

/** In the place of a form that has nothing to choose from. */
export function EmptyForm({
  title,
  lead,
  children,
  href = '#/receive',
  action = TEXTS.home.emptyAction,
}: {
  title: string
  lead: string
  children: ReactNode
  href?: string
  action?: string
}) {
  return (
    <>
      <Heading lead={lead}>{title}</Heading>
      <div className="sheet empty">
        <p>{children}</p>
        <a className="button main" href={href}>
          {action}
        </a>
      </div>
    </>
  )
}
