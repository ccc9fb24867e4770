import { useEffect, useState } from 'react'
import type { Address, Hex } from 'viem'
import { showTypedData, type ShownCall } from 'stealth-relay/client/clear-signing'
import type { AppRequest } from 'stealth-relay/client/provider'
import { AddressText } from '../parts/address-text.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Notice } from '../parts/notice.tsx'
import { Fact } from '../parts/review.tsx'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import { listSignedFields, type SignedField } from './list-signed-fields.ts'
import { namesOf } from './names-of.ts'
import type { Question } from './open-app-session.ts'
import { QuestionFrame } from './question.tsx'

type Signed<Kind> = Extract<AppRequest, { kind: Kind }>

/** An app wants a text signed. */
export function MessageQuestion({ question, request }: { question: Question; request: Signed<'message'> }) {
  const { sign } = TEXTS.apps
  return (
    <QuestionFrame
      title={sign.title}
      origin={request.origin}
      action={sign.go}
      shown={question}
      refuse={question.refuse}
      agree={question.agree}
    >
      <dl className="sheet review">
        <Message text={request.text} message={request.message} />
        <Signer address={request.from} />
      </dl>
    </QuestionFrame>
  )
}

/** An app wants typed data signed: its purpose where somebody described it, and all of its fields. */
export function DataQuestion({ question, request }: { question: Question; request: Signed<'typed-data'> }) {
  const { client } = useSession()
  const [purpose, setPurpose] = useState<{ shown: ShownCall | null } | null>(null)
  const { sign } = TEXTS.apps

  useEffect(() => {
    let isGone = false
    // An answer that fails its check explains nothing.
    showTypedData(location.origin, request, namesOf(client))
      .catch(() => null)
      .then((shown) => isGone || setPurpose({ shown }))
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [client, request])

  return (
    <QuestionFrame
      title={sign.titleData}
      origin={request.origin}
      action={sign.go}
      isReady={purpose !== null}
      shown={purpose}
      refuse={question.refuse}
      agree={question.agree}
    >
      <Notice kind="wait">{sign.danger}</Notice>
      <dl className="sheet review">
        {purpose && <Purpose shown={purpose.shown} />}
        <TypedData request={request} />
        <Signer address={request.from} />
      </dl>
    </QuestionFrame>
  )
}

function Purpose({ shown }: { shown: ShownCall | null }) {
  const { calls } = TEXTS.apps
  return (
    <div>
      <dt>{calls.what}</dt>
      <dd className="figure">
        <ForeignText>{shown?.intent ?? calls.unknown}</ForeignText>
      </dd>
      {shown?.lines.map((line) => (
        <dd key={line}>
          <ForeignText>{line}</ForeignText>
        </dd>
      ))}
      {shown?.byItsOwnWord && <dd className="wait">{calls.ownWord}</dd>}
    </div>
  )
}

const Signer = ({ address }: { address: Address }) => (
  <Fact name={TEXTS.apps.sign.by} more={TEXTS.apps.sign.byLead}>
    <AddressText address={address} />
  </Fact>
)

/** Bytes that are no text are shown as bytes. */
function Message({ text, message }: { text: string; message: Hex }) {
  const isText = !text.includes('\u{fffd}')
  return (
    <Fact name={isText ? TEXTS.apps.sign.text : TEXTS.apps.sign.bytes}>
      <ForeignText>{isText ? text : message}</ForeignText>
    </Fact>
  )
}

function TypedData({ request: { typedData } }: { request: Signed<'typed-data'> }) {
  const { sign } = TEXTS.apps
  const { domain, message } = listSignedFields(typedData)
  return (
    <>
      <Fact name={sign.what}>
        <ForeignText>{typedData.primaryType}</ForeignText>
      </Fact>
      <Fact name={sign.domain}>
        <Fields fields={domain} />
      </Fact>
      <Fact name={sign.fields}>
        <Fields fields={message} />
      </Fact>
    </>
  )
}

const Fields = ({ fields }: { fields: readonly SignedField[] }) => (
  <ul className="fields">
    {fields.length === 0 && <li>{TEXTS.apps.sign.nothing}</li>}
    {fields.map(({ path, value }) => (
      <li key={path}>
        <span className="quiet">
          <ForeignText>{path}</ForeignText>
        </span>
        <ForeignText>{value}</ForeignText>
      </li>
    ))}
  </ul>
)
