import { useState } from 'react'
import { Provider } from 'urql'
import type { WalletKeys } from 'stealth-relay/client'
import { readRemembered, remember } from './keys/remembered-wallet.ts'
import { Shell } from './screens/shell.tsx'
import { Unlock } from './screens/unlock.tsx'
import { Welcome } from './screens/welcome.tsx'
import { openWalletSession, SessionContext, type Session } from './session/session.ts'

/** Opens the wallet, or offers to make one. */
export function App() {
  const [session, setSession] = useState<Session | null>(null)
  const [remembered, setRemembered] = useState(readRemembered)

  async function open(
    keys: WalletKeys,
    opensBy: Session['opensBy'],
    hasBackup = remembered?.hasBackup ?? false,
  ) {
    const opened = await openWalletSession(keys, opensBy)
    const wallet = { opensBy, hasBackup }
    remember(wallet)
    setRemembered(wallet)
    setSession(opened)
  }

  function forget() {
    remember(null)
    setRemembered(null)
    setSession(null)
  }

  if (session)
    return (
      <SessionContext value={session}>
        <Provider value={session.graph}>
          <Shell lock={() => setSession(null)} />
        </Provider>
      </SessionContext>
    )
  return remembered ? <Unlock remembered={remembered} open={open} forget={forget} /> : <Welcome open={open} />
}
