import { useState } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { loadKeys } from '../keys/load-keys.ts'
import { createPasskey, hasPasskeys, readPasskey } from '../keys/passkey.ts'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { useTask } from '../parts/use-task.ts'
import type { Session } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import { Front } from './front.tsx'
import { PinForm } from './pin-form.tsx'
import { RestoreForm } from './restore-form.tsx'

/** Opens a session with keys. */
export type Open = (keys: WalletKeys, opensBy: Session['opensBy'], hasBackup?: boolean) => Promise<void>

/** The first screen of a browser without a wallet. */
export function Welcome({ open }: { open: Open }) {
  const [step, setStep] = useState<'start' | 'pin' | 'restore'>('start')
  const { isRunning, failure, run, setFailure } = useTask()
  const back = () => {
    setFailure(null)
    setStep('start')
  }

  if (step === 'pin')
    return (
      <Front failure={failure}>
        <PinForm
          isRunning={isRunning}
          back={back}
          onPin={(pin) =>
            run(async () => {
              const { createSecret, deriveWalletKeys, saveByPin } = await loadKeys()
              const keys = await deriveWalletKeys(createSecret())
              await saveByPin(keys, pin)
              await open(keys, 'pin', false)
            })
          }
        />
      </Front>
    )
  if (step === 'restore')
    return (
      <Front failure={failure}>
        <RestoreForm
          isRunning={isRunning}
          back={back}
          onKeys={(keys, pin) =>
            run(async () => {
              const { saveByPin } = await loadKeys()
              await saveByPin(keys, pin)
              await open(keys, 'pin', true)
            })
          }
        />
      </Front>
    )

  const withPasskey = (read: () => Promise<Uint8Array<ArrayBuffer>>) =>
    run(async () => {
      // The browser asks for it only right after a press.
      const secret = await read()
      const { deriveWalletKeys } = await loadKeys()
      await open(await deriveWalletKeys(secret), 'passkey', false)
    })
  const { welcome } = TEXTS
  return (
    <Front failure={failure}>
      <Heading lead={welcome.lead}>{welcome.title}</Heading>
      <ul className="points">
        {welcome.points.map(([title, text]) => (
          <li key={title}>
            <strong>{title}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <div className="stack">
        {hasPasskeys() ? (
          <>
            <button
              type="button"
              className="button main wide"
              disabled={isRunning}
              onClick={() => withPasskey(() => createPasskey(TEXTS.brand))}
            >
              <Icon name="key" />
              {isRunning ? TEXTS.loading : welcome.withPasskey}
            </button>
            <p className="hint">{welcome.passkeyHint}</p>
          </>
        ) : (
          <p className="hint">{welcome.noPasskeys}</p>
        )}
        <button
          type="button"
          className="button quiet wide"
          disabled={isRunning}
          onClick={() => setStep('pin')}
        >
          {welcome.withPin}
        </button>
      </div>
      <section className="again" aria-labelledby="come-back">
        <h2 id="come-back">{welcome.comeBack}</h2>
        <div className="row">
          {hasPasskeys() && (
            <button
              type="button"
              className="link"
              disabled={isRunning}
              onClick={() => withPasskey(() => readPasskey())}
            >
              {welcome.signIn}
            </button>
          )}
          <button type="button" className="link" disabled={isRunning} onClick={() => setStep('restore')}>
            {welcome.restore}
          </button>
        </div>
      </section>
    </Front>
  )
}
