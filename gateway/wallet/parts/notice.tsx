import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A message beside what it is about. Failures interrupt a reader, others wait. */
export function Notice({ kind, children }: { kind: 'bad' | 'wait' | 'good'; children: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={kind === 'good' ? 'done' : 'warn'} size={20} />
      <div>{children}</div>
    </div>
  )
}
