import { useEffect, useState, useSyncExternalStore } from 'react'
import { App } from '../app.tsx'
import { AccountRosette } from '../parts/account-rosette.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { SessionContext, type Session } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import { openDoor } from './app-door.ts'
import { CallsQuestion } from './calls-question.tsx'
import { ConnectQuestion } from './connect-question.tsx'
import { openAppSession, type Outcome, type Question } from './open-app-session.ts'
import { DataQuestion, MessageQuestion } from './signature-question.tsx'

/** Opened once: React may render for the first time more than once. */
const door = openDoor(window)

/** The window that the page of an app opens: its requests, one at a time. */
export default function AppWindow() {
  const origin = useSyncExternalStore(door.subscribe, door.readOrigin)
  useEffect(() => {
    document.title = `${TEXTS.apps.window} – ${TEXTS.brand}`
  }, [])
  if (door.isAlone) return <Alone />
  return (
    <div className="app-window">
      <header className="app-bar">
        <span className="brand">{TEXTS.brand}</span>
        <span className="quiet">
          {origin === null ? TEXTS.loading : `${TEXTS.apps.asks} `}
          {origin !== null && <ForeignText>{origin}</ForeignText>}
        </span>
      </header>
      <App loadScreens={loadScreens} isShellKept={false} />
    </div>
  )
}

const loadScreens = async () => AppScreens

/** Somebody wrote the address of the window, or the app's own policy cut it off. */
const Alone = () => (
  <main className="alone stack">
    <Heading lead={TEXTS.apps.aloneLead}>{TEXTS.apps.alone}</Heading>
    <a className="button main" href="/wallet">
      {TEXTS.apps.toWallet}
    </a>
  </main>
)

function AppScreens({ session, lock }: { session: Session; lock: () => void }) {
  const [app] = useState(() => openAppSession(session))
  const { question, outcome } = useSyncExternalStore(app.subscribe, app.readShown)
  useEffect(() => door.serve(app.answer), [app])
  return (
    <SessionContext value={session}>
      <main className="app-main">
        <div className="app-rosette own-rosette">
          <AccountRosette accountId={session.client.accountId} size={72} label={TEXTS.account.rosette} />
        </div>
        {question ? <AnyQuestion question={question} /> : <Waiting outcome={outcome} lock={lock} />}
      </main>
    </SessionContext>
  )
}

function AnyQuestion({ question }: { question: Question }) {
  const { request } = question
  switch (request.kind) {
    case 'connect':
      return <ConnectQuestion question={question} />
    case 'calls':
      return <CallsQuestion question={question} request={request} />
    case 'message':
      return <MessageQuestion question={question} request={request} />
    default:
      return <DataQuestion question={question} request={request} />
  }
}

/** Between two requests: how the last one ended. */
function Waiting({ outcome, lock }: { outcome: Outcome | null; lock: () => void }) {
  const { outcomes, wait } = TEXTS.apps
  const [title, lead] = outcome ? outcomes[outcome.kind] : wait
  return (
    <div className="stack">
      <Heading key={outcome?.kind} lead={lead}>
        {title}
      </Heading>
      {outcome?.kind === 'failed' && <Notice kind="bad">{outcome.text}</Notice>}
      {outcome?.kind === 'sending' && <div className="slow" aria-hidden="true" />}
      <div className="row">
        <button type="button" className="button main" onClick={() => window.close()}>
          {TEXTS.apps.closeWindow}
        </button>
        <button type="button" className="button plain" onClick={lock}>
          {TEXTS.account.lock}
        </button>
      </div>
    </div>
  )
}
