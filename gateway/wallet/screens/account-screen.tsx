import { useState } from 'react'
import { useQuery } from 'urql'
import { writeBackup } from '../keys/backup.ts'
import { readRemembered, remember } from '../keys/remembered-wallet.ts'
import { AddressText } from '../parts/address-text.tsx'
import { Field } from '../parts/field.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Rosette } from '../parts/rosette.tsx'
import { useTask } from '../parts/use-task.ts'
import type { ContactsAnswer } from '../session/answers.ts'
import { CONTACTS } from '../session/documents.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'

/** The account itself: its figure, its backup, its contacts. */
export function AccountScreen({ lock }: { lock: () => void }) {
  const { client, opensBy } = useSession()
  const [{ data }] = useQuery<ContactsAnswer>({
    query: CONTACTS,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
  })
  const contacts = data?.account?.contacts.nodes ?? []
  const { account } = TEXTS
  return (
    <div className="stack">
      <Heading>{account.title}</Heading>
      <section className="sheet center">
        <div className="own-rosette">
          <Rosette seed={client.accountId} size={180} label={account.rosette} />
        </div>
        <p className="hint">{account.rosette}</p>
        <dl className="facts">
          <div>
            <dt>{account.key}</dt>
            <dd>{account.keys[opensBy]}</dd>
          </div>
          <div>
            <dt>{account.id}</dt>
            <dd className="hash">{client.accountId}</dd>
          </div>
        </dl>
      </section>
      <BackupForm />
      <section className="sheet" aria-labelledby="contacts-heading">
        <h2 id="contacts-heading">{account.contacts}</h2>
        {contacts.length === 0 ? (
          <p className="hint">{account.noContacts}</p>
        ) : (
          <ul className="lines">
            {contacts.map(({ id, name, address }) => (
              <li key={id} className="contact">
                <span className="strong">{name}</span>
                <AddressText address={address} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <button type="button" className="button quiet wide" onClick={lock}>
        {account.lock}
      </button>
    </div>
  )
}

const LEAST = 10

function BackupForm() {
  const { keys, opensBy } = useSession()
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const [isDone, setDone] = useState(false)
  const { isRunning, failure, run } = useTask()
  const { account } = TEXTS
  const isShort = password.length < LEAST
  const save = () =>
    run(async () => {
      offerFile(await writeBackup(keys, password), 'stealth-wallet-backup.json')
      remember({ opensBy, hasBackup: true })
      setPassword('')
      setTried(false)
      setDone(true)
    })
  return (
    <form
      className="sheet stack"
      noValidate
      aria-labelledby="backup-heading"
      onSubmit={(event) => {
        event.preventDefault()
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
    </form>
  )
}

/** Has the browser save a text as a file. */
function offerFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
