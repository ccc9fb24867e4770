import type { ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'

/** How far an order is, in words. */
export function Progress({ state, children }: { state: string; children: ReactNode }) {
  const { progress } = TEXTS
  return (
    <>
      <Heading>{progress['title'] ?? ''}</Heading>
      <div className="sheet center">
        {children}
        <div className="slow" aria-hidden="true" />
        <p role="status" className="strong">
          {progress[state] ?? progress['queued']}
        </p>
        <p className="hint">{progress['leave']}</p>
      </div>
    </>
  )
}
