import type { ReactNode } from 'react'
import { Notice } from '../parts/notice.tsx'
import { Rosette } from '../parts/rosette.tsx'
import { SETTINGS } from '../read-settings.ts'
import { TEXTS } from '../texts.ts'

/** The frame of the screens before a wallet is open. */
export function Front({ children, failure }: { children: ReactNode; failure: string | null }) {
  return (
    <div className="front">
      <div className="plate" aria-hidden="true">
        <Rosette seed="stealth wallet" size={560} />
      </div>
      <main className="front-main">
        <p className="brand">{TEXTS.brand}</p>
        {children}
        {failure && <Notice kind="bad">{failure}</Notice>}
        {SETTINGS.isDevnet && <p className="hint">{TEXTS.devnet}</p>}
      </main>
    </div>
  )
}
