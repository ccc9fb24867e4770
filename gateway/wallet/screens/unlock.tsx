import { useState } from 'react'
import { loadKeys } from '../keys/load-keys.ts'
import { readPasskey } from '../keys/passkey.ts'
import type { RememberedWallet } from '../keys/remembered-wallet.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { useTask } from '../parts/use-task.ts'
import { TEXTS } from '../texts.ts'
import { Front } from './front.tsx'
import type { Open } from './welcome.tsx'

/** The first screen of a browser that has a wallet. */
export function Unlock({
  remembered,
  open,
  forget,
}: {
  remembered: RememberedWallet
  open: Open
  forget: () => void
}) {
  const { isRunning, failure, run } = useTask()
  const [pin, setPin] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const { unlock } = TEXTS

  const byPin = () =>
    run(async () => {
      const { openByPin } = await loadKeys()
      const keys = await openByPin(pin)
      setWrong(!keys)
      if (keys) await open(keys, 'pin')
    })
  const byPasskey = () =>
    run(async () => {
      const secret = await readPasskey()
      const { deriveWalletKeys } = await loadKeys()
      await open(await deriveWalletKeys(secret), 'passkey')
    })
  const leave = () =>
    run(async () => {
      const { forgetVault } = await loadKeys()
      await forgetVault()
      forget()
    })

  return (
    <Front failure={failure}>
      <Heading lead={unlock.lead}>{unlock.title}</Heading>
      {remembered.opensBy === 'passkey' ? (
        <div className="stack">
          <button type="button" className="button main wide" disabled={isRunning} onClick={byPasskey}>
            <Icon name="key" />
            {isRunning ? TEXTS.loading : unlock.passkey}
          </button>
        </div>
      ) : (
        <Form onSubmit={byPin}>
          <Field
            label={unlock.pin}
            type="password"
            inputMode="numeric"
            autoComplete="current-password"
            value={pin}
            error={isWrong ? TEXTS.pin.wrong : null}
            onChange={(event) => setPin(event.target.value)}
          />
          <button type="submit" className="button main wide" disabled={isRunning}>
            {isRunning ? TEXTS.loading : unlock.open}
          </button>
        </Form>
      )}
      {isLeaving ? (
        <div className="stack">
          {remembered.opensBy === 'pin' && <Notice kind="wait">{unlock.forget}</Notice>}
          <div className="row">
            <button type="button" className="button danger" onClick={leave}>
              {unlock.forgetYes}
            </button>
            <button type="button" className="button plain" onClick={() => setLeaving(false)}>
              {TEXTS.cancel}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" className="link" onClick={() => setLeaving(true)}>
          {unlock.other}
        </button>
      )}
    </Front>
  )
}
