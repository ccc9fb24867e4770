import { TEXTS } from '../texts.ts'
import type { Question } from './open-app-session.ts'
import { QuestionFrame } from './question.tsx'

/** An app wants to know an address. */
export function ConnectQuestion({ question }: { question: Question }) {
  const { connect } = TEXTS.apps
  return (
    <QuestionFrame
      title={connect.title}
      origin={question.request.origin}
      action={connect.go}
      shown={question}
      refuse={question.refuse}
      agree={question.agree}
    >
      <div className="sheet stack">
        <p>{connect.compare}</p>
        <ul className="points">
          {connect.points.map(([title, text]) => (
            <li key={title}>
              <strong>{title}</strong>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </div>
    </QuestionFrame>
  )
}
