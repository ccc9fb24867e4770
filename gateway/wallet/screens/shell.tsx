import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSubscription } from 'urql'
import { Ghosts } from '../parts/ghosts.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { SETTINGS } from '../read-settings.ts'
import { ACCOUNT_EVENTS } from '../session/documents.ts'
import { TEXTS } from '../texts.ts'
import { AccountScreen } from './account-screen.tsx'
import { ActivityScreen } from './activity-screen.tsx'
import { AppsScreen } from './apps-screen.tsx'
import { HomeScreen } from './home-screen.tsx'
import { ReceiveScreen } from './receive-screen.tsx'
import { SendScreen } from './send-screen.tsx'
import { SwapScreen } from './swap-screen.tsx'

const CashOutScreen = lazy(() => import('./cash-out-screen.tsx'))
const PrivateMoney = lazy(() => import('./private-money.tsx'))

const TABS = [
  'home',
  'receive',
  'send',
  'swap',
  'pools',
  'activity',
  'account',
] as const satisfies readonly IconName[]
const SCREENS = [...TABS, 'pool-in', 'pool-out', 'arrivals', 'cash-out', 'apps'] as const
type Screen = (typeof SCREENS)[number]
/** Screens below a tab. */
const TAB_OF: Partial<Record<Screen, Screen>> = {
  'pool-in': 'pools',
  'pool-out': 'pools',
  arrivals: 'home',
  'cash-out': 'home',
  apps: 'account',
}

const readScreen = (): Screen => SCREENS.find((screen) => location.hash === `#/${screen}`) ?? 'home'

/** The open wallet: tabs, and one screen. The address of the page names the screen, so that "back" works. */
export function Shell({ lock }: { lock: () => void }) {
  const [screen, setScreen] = useState(readScreen)
  const content = useRef<HTMLElement>(null)
  // As long as the wallet is open: what it reports updates the cache, and with it the screens.
  useSubscription({ query: ACCOUNT_EVENTS })
  useEffect(() => {
    const follow = () => setScreen(readScreen())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    document.title = `${TEXTS.nav[screen]} – ${TEXTS.brand}`
  }, [screen])
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => content.current?.focus()}>
        {TEXTS.skip}
      </button>
      <nav className="tabs" aria-label={TEXTS.nav.label}>
        <p className="brand">{TEXTS.brand}</p>
        {TABS.map((name) => (
          <a
            key={name}
            href={`#/${name}`}
            aria-current={name === (TAB_OF[screen] ?? screen) ? 'page' : undefined}
          >
            <Icon name={name} />
            <span>{TEXTS.nav[name]}</span>
          </a>
        ))}
      </nav>
      <main ref={content} tabIndex={-1} className={screen}>
        <Content screen={screen} lock={lock} />
        {SETTINGS.isDevnet && <p className="hint devnet">{TEXTS.devnet}</p>}
      </main>
    </div>
  )
}

function Content({ screen, lock }: { screen: Screen; lock: () => void }) {
  switch (screen) {
    case 'receive':
      return <ReceiveScreen />
    case 'send':
      return <SendScreen />
    case 'swap':
      return <SwapScreen />
    case 'pools':
    case 'pool-in':
    case 'pool-out':
    case 'arrivals':
      return (
        <Suspense fallback={<Ghosts />}>
          <PrivateMoney key={screen} screen={screen} />
        </Suspense>
      )
    case 'cash-out':
      return (
        <Suspense fallback={<Ghosts />}>
          <CashOutScreen />
        </Suspense>
      )
    case 'activity':
      return <ActivityScreen />
    case 'apps':
      return <AppsScreen />
    case 'account':
      return <AccountScreen lock={lock} />
    default:
      return <HomeScreen />
  }
}
