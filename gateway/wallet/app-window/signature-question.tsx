import type { Hex } from 'viem'
import type { AppRequest } from 'stealth-relay/client/provider'
import { AddressText } from '../parts/address-text.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Notice } from '../parts/notice.tsx'
import { Fact } from '../parts/review.tsx'
import { TEXTS } from '../texts.ts'
import { listSignedFields, type SignedField } from './list-signed-fields.ts'
import type { Question } from './open-app-session.ts'
import { QuestionFrame } from './question.tsx'

type Signed<Kind> = Extract<AppRequest, { kind: Kind }>

/** An app wants a text or data signed. */
export function SignatureQuestion({
  question,
  request,
}: {
  question: Question
  request: Signed<'message'> | Signed<'typed-data'>
}) {
  const { sign } = TEXTS.apps
  return (
    <QuestionFrame
      title={request.kind === 'message' ? sign.title : sign.titleData}
      origin={request.origin}
      action={sign.go}
      shown={question}
      refuse={question.refuse}
      agree={question.agree}
    >
      {request.kind === 'typed-data' && <Notice kind="wait">{sign.danger}</Notice>}
      <dl className="sheet review">
        {request.kind === 'message' ? (
          <Message text={request.text} message={request.message} />
        ) : (
          <TypedData request={request} />
        )}
        <Fact name={sign.by} more={sign.byLead}>
          <AddressText address={request.from} />
        </Fact>
      </dl>
    </QuestionFrame>
  )
}

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
