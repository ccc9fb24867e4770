import { useEffect, useState } from 'react'
import { claimName } from 'stealth-relay/client'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { useTask } from '../parts/use-task.ts'
import { SETTINGS } from '../read-settings.ts'
import { useSession } from '../session/session.ts'
import { useOwnName } from '../session/use-own-name.ts'
import { TEXTS } from '../texts.ts'

/** The account's name below the service's parent; nothing where the service gives none. */
export function OwnName() {
  const known = useOwnName()
  // A second query would share the answer of one that began before the claim.
  const [claimed, setClaimed] = useState<string | null>(null)
  const { account } = TEXTS
  const name = claimed ?? known
  if (name === undefined) return null
  return (
    <section className="sheet stack" aria-labelledby="name-heading">
      <h2 id="name-heading">{account.name}</h2>
      <p className="hint">{account.nameLead}</p>
      {name === null ? (
        <ClaimForm onClaimed={setClaimed} />
      ) : (
        <div className="row">
          <strong className="own-name">{`${name}.${SETTINGS.nameParent}`}</strong>
          <CopyButton text={`${name}.${SETTINGS.nameParent}`}>{TEXTS.copy}</CopyButton>
        </div>
      )}
    </section>
  )
}

const isName = (text: string) => /^[\p{L}\d-]+$/u.test(text)

function ClaimForm({ onClaimed }: { onClaimed: (name: string) => void }) {
  const { client } = useSession()
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const { isRunning, failure, run } = useTask()
  const { account } = TEXTS
  const suggest = async () => (await client.call('suggestSubdomain', {})).subdomain
  // A name that the user wrote meanwhile stays.
  useEffect(
    () =>
      run(async () => {
        const suggested = await suggest()
        setName((written) => written || suggested)
      }),
    [client],
  )
  return (
    <Form
      onSubmit={() => {
        setTried(true)
        if (!isName(name)) return
        run(async () => onClaimed(await claimName(client, name)))
      }}
    >
      <Field
        label={account.nameLabel}
        value={name}
        error={isTried && !isName(name) ? account.nameBad : null}
        {...(name && { hint: `${name}.${SETTINGS.nameParent}` })}
        onChange={(event) => setName(event.target.value)}
      />
      {failure && <Notice kind="bad">{failure}</Notice>}
      <div className="row">
        <button type="submit" className="button quiet" disabled={isRunning}>
          {account.nameTake}
        </button>
        <button
          type="button"
          className="link"
          disabled={isRunning}
          onClick={() => run(async () => setName(await suggest()))}
        >
          {account.nameOther}
        </button>
      </div>
    </Form>
  )
}
