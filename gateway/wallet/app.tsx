import { useEffect, useState, type ReactNode } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { loadKeys } from './keys/load-keys.ts'
import { readRemembered, remember } from './keys/remembered-wallet.ts'
import { keepShell } from './offline/keep-shell.ts'
import { Unlock } from './screens/unlock.tsx'
import { Welcome } from './screens/welcome.tsx'
import type { Session } from './session/session.ts'

/** The greater part of the wallet: it loads while the first screen is read. */
const loadWallet = () =>
  Promise.all([import('./session/session.ts'), import('./open-wallet.tsx'), loadKeys()])

/** Opens the wallet, or offers to make one. */
export function App() {
  const [opened, setOpened] = useState<ReactNode>(null)
  const [remembered, setRemembered] = useState(readRemembered)
  useEffect(() => {
    // The opening of a wallet loads it again, and shows the failure.
    void loadWallet()
      .then(keepShell)
      .catch(() => undefined)
  }, [])

  async function open(
    keys: WalletKeys,
    opensBy: Session['opensBy'],
    hasBackup = remembered?.hasBackup ?? false,
  ) {
    const [{ openWalletSession }, { OpenWallet }] = await loadWallet()
    const session = await openWalletSession(keys, opensBy)
    const wallet = { opensBy, hasBackup }
    remember(wallet)
    setRemembered(wallet)
    setOpened(<OpenWallet session={session} lock={() => setOpened(null)} />)
  }

  function forget() {
    remember(null)
    setRemembered(null)
  }

  if (opened) return opened
  return remembered ? <Unlock remembered={remembered} open={open} forget={forget} /> : <Welcome open={open} />
}
