import type { ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'

/** How far an order is, in words. */
export function Progress({
  state,
  part,
  stays = false,
  children,
}: {
  state: string
  /** Of what is loading, from 0 to 1; a slow line is shown unless given. */
  part?: number | undefined
  /** The page has to stay open. */
  stays?: boolean
  children: ReactNode
}) {
  const { progress } = TEXTS
  return (
    <>
      <Heading>{progress['title'] ?? ''}</Heading>
      <div className="sheet center">
        {children}
        <ProgressLine state={state} part={part} />
        <p className="hint">{progress[stays ? 'stay' : 'leave']}</p>
      </div>
    </>
  )
}

/** One line and one sentence: how far something is. */
export function ProgressLine({ state, part }: { state: string; part?: number | undefined }) {
  const { progress } = TEXTS
  const text = progress[state] ?? progress['queued'] ?? ''
  return (
    <>
      {part === undefined ? (
        <div className="slow" aria-hidden="true" />
      ) : (
        <progress className="part" value={part} aria-label={text} />
      )}
      <p role="status" className="strong">
        {text}
      </p>
    </>
  )
}
