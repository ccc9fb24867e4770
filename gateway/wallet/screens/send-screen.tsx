import { useState } from 'react'
import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { NotSent } from '../parts/not-sent.tsx'
import { Progress } from '../parts/progress.tsx'
import { useTask } from '../parts/use-task.ts'
import {
  askPayment,
  makePayment,
  type Accepted,
  type Offer,
  type PaymentDraft,
  type Warning,
} from '../session/ask-payment.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { dropOffer } from '../session/drop-offer.ts'
import { isUnsent } from '../session/is-unsent.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import { PaymentForm } from './payment-form.tsx'
import { PaymentWarning } from './payment-warning.tsx'
import { ReviewPayment } from './review-payment.tsx'
import { SentScreen } from './sent-screen.tsx'

type Step =
  | { name: 'form'; failure?: string }
  | { name: 'warning'; warning: Warning }
  | { name: 'review'; offer: Offer }
  | { name: 'progress'; offer: Offer; state: string }
  | { name: 'sent'; offer: Offer; txHash: string }
  | { name: 'failed'; text: string; isUnsent: boolean }

/** A payment in four steps: what, a warning if there is one, the review, and following it. */
export function SendScreen() {
  const { client } = useSession()
  const [step, setStep] = useState<Step>({ name: 'form' })
  const [draft, setDraft] = useState<PaymentDraft | null>(null)
  const { isRunning, failure, run, setFailure } = useTask()

  const ask = (wanted: PaymentDraft, accepted: Accepted = {}) =>
    run(async () => {
      setDraft(wanted)
      const answer = await askPayment(client, wanted, accepted)
      setStep('kind' in answer ? { name: 'warning', warning: answer } : { name: 'review', offer: answer })
    })

  const pay = async (offer: Offer) => {
    let last = 'signing'
    setStep({ name: 'progress', offer, state: last })
    try {
      const txHash = await makePayment(client, offer, (state) => {
        last = state
        setStep({ name: 'progress', offer, state })
      })
      setStep({ name: 'sent', offer, txHash })
    } catch (error) {
      setStep({ name: 'failed', text: describeProblem(error), isUnsent: isUnsent(error, last) })
    }
  }

  const toForm = () => {
    setFailure(null)
    if (step.name === 'review') void dropOffer(client, step.offer)
    setStep({ name: 'form' })
  }
  const restart = () => {
    setDraft(null)
    setStep({ name: 'form' })
  }

  switch (step.name) {
    case 'warning':
      return (
        <PaymentWarning
          warning={step.warning}
          draft={draft}
          isRunning={isRunning}
          failure={failure}
          back={toForm}
          onAccept={() => draft && ask(draft, step.warning.accept)}
        />
      )
    case 'review':
      return <ReviewPayment offer={step.offer} back={toForm} onSend={() => void pay(step.offer)} />
    case 'progress':
      return (
        <Progress state={step.state}>
          <p className="figure">{formatToken(step.offer.draft.amount, step.offer.draft, { whole: true })}</p>
          <AddressText address={step.offer.recipient} />
        </Progress>
      )
    case 'sent':
      return <SentScreen offer={step.offer} txHash={step.txHash} again={restart} />
    case 'failed':
      return <NotSent title={TEXTS.notSent.title} text={step.text} isUnsent={step.isUnsent} back={toForm} />
    default:
      return <PaymentForm draft={draft} isRunning={isRunning} failure={failure} onReview={ask} />
  }
}
