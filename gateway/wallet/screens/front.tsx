import type { ReactNode } from 'react'
import { Notice } from '../parts/notice.tsx'
import { Rosette } from '../parts/rosette.tsx'
import { GIVEN_SETTINGS } from '../given-settings.ts'
import { TEXTS } from '../texts.ts'

/** The figure of no account: the hash of `stealth wallet`. */
const FIGURE = [197, 186, 4, 142, 119, 8, 203, 116, 247]

/** The frame of the screens before a wallet is open. */
export function Front({ children, failure }: { children: ReactNode; failure: string | null }) {
  return (
    <div className="front">
      <div className="plate" aria-hidden="true">
        <Rosette figure={FIGURE} size={560} />
      </div>
      <main className="front-main">
        <p className="brand">{TEXTS.brand}</p>
        {children}
        {failure && <Notice kind="bad">{failure}</Notice>}
        {GIVEN_SETTINGS.isDevnet && <p className="hint">{TEXTS.devnet}</p>}
      </main>
    </div>
  )
}
