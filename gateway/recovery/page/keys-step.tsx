import { useState } from 'react'
import { readBackup, type Backup } from 'stealth-relay/client'
import type { Hex } from 'viem'
import { Field, FileField } from '../../wallet/parts/field.tsx'
import { Form } from '../../wallet/parts/form.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { PAGE } from '../texts.ts'

const KEY = /^0x[0-9a-f]{64}$/

/** Asks for the backup, or for the two secrets in it. */
export function KeysStep({ onBackup }: { onBackup: (backup: Backup) => void }) {
  const [bySecrets, setBySecrets] = useState(false)
  const { keys } = PAGE
  return (
    <>
      <Heading lead={PAGE.lead}>{PAGE.title}</Heading>
      <ul className="calm">
        {PAGE.calm.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {bySecrets ? <SecretsForm onBackup={onBackup} /> : <FileForm onBackup={onBackup} />}
      <button type="button" className="button plain wide" onClick={() => setBySecrets(!bySecrets)}>
        {bySecrets ? keys.fileInstead : keys.instead}
      </button>
      <p className="hint">{keys.without}</p>
    </>
  )
}

function FileForm({ onBackup }: { onBackup: (backup: Backup) => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<{ place: 'file' | 'password'; text: string } | null>(null)
  const { keys } = PAGE

  async function open() {
    if (!file) return setError({ place: 'file', text: keys.noFile })
    const backup = await readBackup(await file.text(), password)
    return backup ? onBackup(backup) : setError({ place: 'password', text: keys.wrong })
  }
  return (
    <Form className="sheet stack" onSubmit={open}>
      <h2>{keys.title}</h2>
      <FileField label={keys.file} error={error?.place === 'file' ? error.text : null} onFile={setFile} />
      <Field
        label={keys.password}
        type="password"
        value={password}
        error={error?.place === 'password' ? error.text : null}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button type="submit" className="button main wide">
        {keys.open}
      </button>
    </Form>
  )
}

function SecretsForm({ onBackup }: { onBackup: (backup: Backup) => void }) {
  const [spendKey, setSpendKey] = useState('')
  const [viewKey, setViewKey] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { keys } = PAGE

  function open() {
    const [spend, view] = [spendKey, viewKey].map((text) => text.trim().toLowerCase()) as [Hex, Hex]
    const isRight = KEY.test(spend) && KEY.test(view)
    setWrong(!isRight)
    if (isRight) onBackup({ keys: { spendKey: spend, viewKey: view }, chains: [] })
  }
  return (
    <Form className="sheet stack" onSubmit={open}>
      <Field
        label={keys.spendKey}
        type="password"
        hint={keys.keyHint}
        value={spendKey}
        onChange={(event) => setSpendKey(event.target.value)}
      />
      <Field
        label={keys.viewKey}
        type="password"
        hint={keys.keyHint}
        value={viewKey}
        error={isWrong ? keys.badKey : null}
        onChange={(event) => setViewKey(event.target.value)}
      />
      <button type="submit" className="button main wide">
        {keys.open}
      </button>
    </Form>
  )
}
