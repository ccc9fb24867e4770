import { useState } from 'react'
import { saveContact } from 'stealth-relay/client'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { formatToken, shortenAddress } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { useTask } from '../parts/use-task.ts'
import type { Offer } from '../session/ask-payment.ts'
import { useSession } from '../session/session.ts'
import { useContacts } from '../session/use-contacts.ts'
import { TEXTS } from '../texts.ts'

/** The end of a payment; the payee may become a contact. */
export function SentScreen({ offer, txHash, again }: { offer: Offer; txHash: string; again: () => void }) {
  const { client } = useSession()
  const { contacts, read } = useContacts()
  const [name, setName] = useState('')
  const { isRunning, failure, run } = useTask()
  const { sent } = TEXTS
  const known = contacts.find(({ address }) => address.toLowerCase() === offer.recipient.toLowerCase())
  const to = known?.name ?? shortenAddress(offer.recipient)
  return (
    <div className="stack">
      <Heading lead={sent.lead(formatToken(offer.draft.amount, offer.draft, { whole: true }), to)}>
        {sent.title}
      </Heading>
      <div className="sheet center">
        <span className="seal">
          <Icon name="done" size={40} />
        </span>
        <p className="quiet">{sent.details}</p>
        <code className="hash">{txHash}</code>
      </div>
      {known ? (
        <p role="status" className="hint">
          {sent.saved(known.name)}
        </p>
      ) : (
        !offer.isOwn && (
          <Form
            className="sheet stack"
            onSubmit={() => {
              if (name.trim() === '') return
              run(async () => {
                await saveContact(client, offer.recipient, name.trim())
                read()
              })
            }}
          >
            <Field label={sent.name} value={name} onChange={(event) => setName(event.target.value)} />
            {failure && <Notice kind="bad">{failure}</Notice>}
            <button type="submit" className="button quiet wide" disabled={isRunning}>
              {sent.save}
            </button>
          </Form>
        )
      )}
      <div className="row">
        <a className="button main" href="#/home">
          {sent.home}
        </a>
        <button type="button" className="button plain" onClick={again}>
          {sent.again}
        </button>
      </div>
    </div>
  )
}
