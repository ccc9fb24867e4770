import { useState } from 'react'
import { writeBackup } from 'stealth-relay/client'
import { readRemembered, remember } from '../keys/remembered-wallet.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { offerFile } from '../parts/offer-file.ts'
import { useTask } from '../parts/use-task.ts'
import { SETTINGS } from '../read-settings.ts'
import type { WalletChain } from '../settings.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'

const LEAST = 10

/** Saves the keys as a file, locked by a password. */
export function BackupForm() {
  const { keys, opensBy } = useSession()
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const [isDone, setDone] = useState(false)
  const { isRunning, failure, run } = useTask()
  const { account } = TEXTS
  const isShort = password.length < LEAST
  const save = () =>
    run(async () => {
      const text = await writeBackup({ keys, chains: SETTINGS.chains.map(withEscrow) }, password)
      offerFile(new Blob([text], { type: 'application/json' }), 'stealth-wallet-backup.json')
      remember({ opensBy, hasBackup: true })
      setPassword('')
      setTried(false)
      setDone(true)
    })
  return (
    <Form
      className="sheet stack"
      aria-labelledby="backup-heading"
      onSubmit={() => {
        setTried(true)
        if (!isShort) save()
      }}
    >
      <h2 id="backup-heading">{account.backup}</h2>
      <p className="hint">{account.backupLead}</p>
      {isDone ? (
        <Notice kind="good">{account.backupDone}</Notice>
      ) : (
        opensBy === 'pin' && !readRemembered()?.hasBackup && <Notice kind="wait">{account.backupNone}</Notice>
      )}
      <Field
        label={account.backupPassword}
        type="password"
        autoComplete="new-password"
        value={password}
        error={isTried && isShort ? account.backupShort : null}
        onChange={(event) => setPassword(event.target.value)}
      />
      {failure && <Notice kind="bad">{failure}</Notice>}
      <button type="submit" className="button quiet wide" disabled={isRunning}>
        {isRunning ? TEXTS.loading : account.backupSave}
      </button>
    </Form>
  )
}

/** The backup names the escrow, so that a sale can be taken back without the service. */
const withEscrow = (chain: WalletChain) => ({ ...chain, ...(chain.cash && { escrow: chain.cash.escrow }) })
