import { useState } from 'react'
import { isAddress } from 'viem'
import type { ContactEntry } from '../session/answers.ts'
import { useContacts } from '../session/use-contacts.ts'
import { TEXTS } from '../texts.ts'
import { Field } from './field.tsx'

/** The state of a field for the recipient. */
export interface WrittenRecipient {
  text: string
  write: (text: string) => void
  contacts: readonly ContactEntry[]
  /** An address, or a name of ENS: contacts are looked up. */
  destination: string
  error: string | null
}

export function useRecipient(written = '', { takesNames = true } = {}): WrittenRecipient {
  const { contacts } = useContacts()
  const [text, write] = useState(written)
  const destination = contacts.find(({ name }) => name === text.trim())?.address ?? text.trim()
  return { text, write, contacts, destination, error: findError(destination, takesNames) }
}

/** An address, or a name; the service looks closer. */
function findError(text: string, takesNames: boolean): string | null {
  if (isAddress(text, { strict: false })) return null
  if (!takesNames) return TEXTS.send.badAddress
  return /^[^\s.]+(?:\.[^\s.]+)+$/.test(text) ? null : TEXTS.send.badTo
}

/** An address, a name, or a contact, which the browser suggests. */
export function RecipientField({
  value: { text, write, contacts, error },
  isTried,
  hint,
}: {
  value: WrittenRecipient
  isTried: boolean
  hint: string
}) {
  return (
    <>
      <Field
        label={TEXTS.send.to}
        hint={hint}
        list="contacts"
        value={text}
        className="mono"
        error={isTried ? error : null}
        onChange={(event) => write(event.target.value)}
      />
      <datalist id="contacts">
        {contacts.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  )
}
