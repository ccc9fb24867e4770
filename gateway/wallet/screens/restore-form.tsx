import { useState } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { loadKeys } from '../keys/load-keys.ts'
import { Field, FileField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { TEXTS } from '../texts.ts'
import { checkPin } from './pin-form.tsx'

/** Asks for a backup file, its password, and a PIN for this device. */
export function RestoreForm({
  isRunning,
  back,
  onKeys,
}: {
  isRunning: boolean
  back: () => void
  onKeys: (keys: WalletKeys, pin: string) => void
}) {
  const [file, setFile] = useState<File | null>(null)
  const [password, setPassword] = useState('')
  const [pin, setPin] = useState('')
  const [error, setError] = useState<{ place: 'file' | 'password' | 'pin'; text: string } | null>(null)
  const { restore } = TEXTS

  async function submit() {
    const pinError = checkPin(pin)
    if (!file) return setError({ place: 'file', text: restore.noFile })
    if (pinError) return setError({ place: 'pin', text: pinError })
    const tools = await loadKeys().catch(() => null)
    if (!tools) return setError({ place: 'file', text: TEXTS.lost })
    const backup = await tools.readBackup(await file.text(), password)
    if (!backup) return setError({ place: 'password', text: restore.wrong })
    setError(null)
    return onKeys(backup.keys, pin)
  }

  return (
    <Form onSubmit={submit}>
      <Heading lead={restore.lead}>{restore.title}</Heading>
      <FileField label={restore.file} error={error?.place === 'file' ? error.text : null} onFile={setFile} />
      <Field
        label={restore.password}
        type="password"
        value={password}
        error={error?.place === 'password' ? error.text : null}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Field
        label={restore.pin}
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        value={pin}
        error={error?.place === 'pin' ? error.text : null}
        onChange={(event) => setPin(event.target.value)}
      />
      <button type="submit" className="button main wide" disabled={isRunning}>
        {isRunning ? TEXTS.loading : restore.open}
      </button>
      <button type="button" className="button plain wide" onClick={back}>
        {TEXTS.back}
      </button>
    </Form>
  )
}
