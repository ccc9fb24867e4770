import { useEffect, useState } from 'react'
import { isRefusal } from 'stealth-relay/client'
import { size } from 'viem'
import { AddressText } from '../parts/address-text.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Fact, hasPassed, useLook } from '../parts/review.tsx'
import { findChain } from '../read-settings.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import type { Question } from './open-app-session.ts'
import { QuestionFrame } from './question.tsx'
import { readCalls, type CallsRequest, type Change, type ReadCall, type ReadCalls } from './read-calls.ts'

type Reading = { read: ReadCalls } | { error: unknown } | null
const never = () => false

/** An app wants calls made: their purpose, their effects and their fee, or why they cannot be made. */
export function CallsQuestion({ question, request }: { question: Question; request: CallsRequest }) {
  const { client } = useSession()
  const [reading, setReading] = useState<Reading>(null)
  const [round, setRound] = useState(0)
  const { calls } = TEXTS.apps

  useEffect(() => {
    let isGone = false
    const show = (next: Reading) => isGone || setReading(next)
    readCalls(client, request).then(
      (read) => show({ read }),
      (error: unknown) => show({ error }),
    )
    return () => {
      isGone = true
    }
  }, [client, request, round])
  const again = () => {
    setReading(null)
    setRound(round + 1)
  }
  const read = reading && 'read' in reading ? reading.read : null
  const isOld = useLook(read ? hasPassed(read.price.expiresAt) : never)

  if (reading && 'error' in reading)
    return <Impossible question={question} request={request} error={reading.error} again={again} />
  return (
    <QuestionFrame
      title={calls.title}
      origin={request.origin}
      action={isOld ? TEXTS.review.again : calls.go}
      isReady={read !== null}
      shown={isOld ? null : read}
      refuse={question.refuse}
      agree={isOld ? again : question.agree}
    >
      {read ? (
        <Facts request={request} read={read} />
      ) : (
        <div role="status" className="sheet">
          <p className="unseen">{calls.reading}</p>
          <Ghosts />
        </div>
      )}
      {isOld && <Notice kind="wait">{TEXTS.review.expired}</Notice>}
    </QuestionFrame>
  )
}

function Facts({ request, read }: { request: CallsRequest; read: ReadCalls }) {
  const { calls } = TEXTS.apps
  const chain = findChain(request.chainId)
  const coin = { symbol: chain?.nativeSymbol ?? 'ETH', decimals: 18 }
  return (
    <>
      {read.warnings.map((text) => (
        <Notice key={text} kind="wait">
          {text}
        </Notice>
      ))}
      <dl className="sheet review">
        {read.calls.map((one, place) => (
          <CallFact
            key={place}
            one={one}
            name={read.calls.length > 1 ? calls.one(place + 1, read.calls.length) : calls.what}
            coin={coin}
          />
        ))}
        <Fact
          name={calls.changes}
          more={read.isComplete ? calls.advice : undefined}
          wait={!read.isComplete && calls.incomplete}
        >
          {read.changes.length === 0 ? calls.noChanges : <Changes changes={read.changes} />}
        </Fact>
        <Fact name={calls.fee}>{formatToken(read.price.fee, coin, { whole: true })}</Fact>
        <Fact name={calls.by} more={calls.byLead}>
          {chain && <span className="plain">{calls.on(chain.name)}</span>}
          <AddressText address={request.from} />
        </Fact>
      </dl>
    </>
  )
}

const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <ul className="fields">
    {changes.map(({ kind, text, spender }, place) => (
      <li key={place} className={kind === 'leave' ? 'wait' : ''}>
        <ForeignText>{text}</ForeignText>
        {spender && <AddressText address={spender} />}
      </li>
    ))}
  </ul>
)

/** One call: its purpose from a checked descriptor, a plain payment, or an honest warning. The bytes can always be seen. */
function CallFact({
  one,
  name,
  coin,
}: {
  one: ReadCall
  name: string
  coin: { symbol: string; decimals: number }
}) {
  const { call, shown, possible } = one
  const { calls } = TEXTS.apps
  const isPayment = size(call.data) === 0
  const value = formatToken(call.value, coin, { whole: true })
  const title = shown ? shown.intent : isPayment ? calls.pays(value) : calls.unknown
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">
        <ForeignText>{title}</ForeignText>
      </dd>
      {shown?.lines.map((line) => (
        <dd key={line}>
          <ForeignText>{line}</ForeignText>
        </dd>
      ))}
      {shown?.byItsOwnWord && <dd className="wait">{calls.ownWord}</dd>}
      {!shown && !isPayment && (
        <dd>
          <Notice kind="wait">{calls.unknownLead}</Notice>
        </dd>
      )}
      {possible.slice(0, 3).map(({ signature }) => (
        <dd key={signature} className="quiet">
          {calls.maybe} <ForeignText>{signature}</ForeignText>
        </dd>
      ))}
      {call.value > 0n && !isPayment && <dd className="strong">{calls.withValue(value)}</dd>}
      <dd>
        <span className="plain quiet">{isPayment ? calls.payee : calls.contract}</span>
        <AddressText address={call.to} />
      </dd>
      {!isPayment && (
        <dd>
          <details open={!shown}>
            <summary className="raw-summary">{calls.raw(size(call.data))}</summary>
            <code className="hash raw" tabIndex={0}>
              {call.data}
            </code>
          </details>
        </dd>
      )}
    </div>
  )
}

/** The calls cannot be made now. An address with too little can be paid, and looked at again. */
function Impossible({
  question,
  request,
  error,
  again,
}: {
  question: Question
  request: CallsRequest
  error: unknown
  again: () => void
}) {
  const { calls } = TEXTS.apps
  const isPoor = isRefusal(error, 'INSUFFICIENT_BALANCE')
  return (
    <div className="stack">
      <Heading>{isPoor ? calls.poor : calls.impossible}</Heading>
      <p className="figure asker">
        <ForeignText>{request.origin}</ForeignText>
      </p>
      {isPoor ? (
        <div className="sheet stack">
          <p>{calls.poorLead}</p>
          <AddressText address={request.from} />
          <CopyButton text={request.from}>{TEXTS.receive.share}</CopyButton>
        </div>
      ) : (
        <Notice kind="bad">{describeProblem(error)}</Notice>
      )}
      <div className="decide">
        <button type="button" className="button quiet" onClick={() => question.fail(error)}>
          {TEXTS.close}
        </button>
        <button type="button" className="button main" onClick={again}>
          {TEXTS.tryAgain}
        </button>
      </div>
    </div>
  )
}
