import { Provider } from 'urql'
import { Shell } from './screens/shell.tsx'
import { SessionContext, type Session } from './session/session.ts'

/** The screens of an open wallet. Loaded apart: the first screen needs none of it. */
export function OpenWallet({ session, lock }: { session: Session; lock: () => void }) {
  return (
    <SessionContext value={session}>
      <Provider value={session.graph}>
        <Shell lock={lock} />
      </Provider>
    </SessionContext>
  )
}
