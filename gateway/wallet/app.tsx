import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { loadKeys } from './keys/load-keys.ts'
import { readRemembered, remember } from './keys/remembered-wallet.ts'
import { keepShell } from './offline/keep-shell.ts'
import { Unlock } from './screens/unlock.tsx'
import { Welcome } from './screens/welcome.tsx'
import type { Session } from './session/session.ts'

/** The screens of an open wallet. */
export type OpenScreens = ComponentType<{ session: Session; lock: () => void }>

/** The greater part of the wallet: it loads while the first screen is read. */
const loadWallet = async (): Promise<OpenScreens> => (await import('./open-wallet.tsx')).OpenWallet
const loadSession = () => import('./session/session.ts')

/**
 * Opens the wallet, or offers to make one.
 *
 * @param props.isShellKept The page opens without a connection later.
 */
export function App({
  loadScreens = loadWallet,
  isShellKept = true,
}: {
  loadScreens?: () => Promise<OpenScreens>
  isShellKept?: boolean
}) {
  const [opened, setOpened] = useState<ReactNode>(null)
  const [remembered, setRemembered] = useState(readRemembered)
  useEffect(() => {
    // The opening of a wallet loads it again, and shows the failure.
    void Promise.all([loadSession(), loadScreens(), loadKeys()])
      .then(() => (isShellKept ? keepShell() : undefined))
      .catch(() => undefined)
  }, [loadScreens, isShellKept])

  async function open(
    keys: WalletKeys,
    opensBy: Session['opensBy'],
    hasBackup = remembered?.hasBackup ?? false,
  ) {
    const [{ openWalletSession }, Screens] = await Promise.all([loadSession(), loadScreens()])
    const session = await openWalletSession(keys, opensBy)
    const wallet = { opensBy, hasBackup }
    remember(wallet)
    setRemembered(wallet)
    setOpened(<Screens session={session} lock={() => setOpened(null)} />)
  }

  function forget() {
    remember(null)
    setRemembered(null)
  }

  if (opened) return opened
  return remembered ? <Unlock remembered={remembered} open={open} forget={forget} /> : <Welcome open={open} />
}
