import { useState } from 'react'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { TEXTS } from '../texts.ts'

const LEAST = 6
const isGoodPin = (pin: string) => pin.length >= LEAST

/** The error of a new PIN; null for a good one. */
export const checkPin = (pin: string): string | null => (isGoodPin(pin) ? null : TEXTS.pin.tooShort)

/** Asks for a new PIN, twice. */
export function PinForm({
  isRunning,
  back,
  onPin,
}: {
  isRunning: boolean
  back: () => void
  onPin: (pin: string) => void
}) {
  const [pin, setPin] = useState('')
  const [again, setAgain] = useState('')
  const [isTried, setTried] = useState(false)
  const differs = pin === again ? null : TEXTS.pin.differs
  return (
    <Form
      onSubmit={() => {
        setTried(true)
        if (isGoodPin(pin) && !differs) onPin(pin)
      }}
    >
      <Heading lead={TEXTS.pin.lead}>{TEXTS.pin.title}</Heading>
      <Field
        label={TEXTS.pin.label}
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        value={pin}
        error={isTried ? checkPin(pin) : null}
        onChange={(event) => setPin(event.target.value)}
      />
      <Field
        label={TEXTS.pin.repeat}
        type="password"
        inputMode="numeric"
        autoComplete="new-password"
        value={again}
        error={isTried && isGoodPin(pin) ? differs : null}
        onChange={(event) => setAgain(event.target.value)}
      />
      <p className="hint">{TEXTS.pin.warning}</p>
      <button type="submit" className="button main wide" disabled={isRunning}>
        {isRunning ? TEXTS.loading : TEXTS.pin.create}
      </button>
      <button type="button" className="button plain wide" onClick={back}>
        {TEXTS.back}
      </button>
    </Form>
  )
}
