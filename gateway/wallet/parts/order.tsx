import { useState, type ReactNode } from 'react'
import type { Client, Quote } from 'stealth-relay/client'
import { describeProblem } from '../session/describe-problem.ts'
import { dropOffer } from '../session/drop-offer.ts'
import { isUnsent } from '../session/is-unsent.ts'
import { useSession } from '../session/session.ts'
import type { ShowProgress } from '../session/show-progress.ts'
import { TEXTS } from '../texts.ts'
import { Heading } from './heading.tsx'
import { NotSent } from './not-sent.tsx'
import { Progress } from './progress.tsx'
import { useTask } from './use-task.ts'

type Step<Offer> =
  | { name: 'form' }
  | { name: 'review'; offer: Offer }
  | { name: 'progress'; offer: Offer; state: string; part?: number | undefined }
  | { name: 'done'; offer: Offer; txHash: string }
  | { name: 'failed'; text: string; isUnsent: boolean }

/** Props of a form, which asks for an offer by `onReview`. */
export interface FormParts<Draft> {
  isRunning: boolean
  failure: string | null
  /** The work before there is an offer; null while the wallet only waits. */
  doing: { state: string; part?: number | undefined } | null
  onReview: (draft: Draft) => void
}

/** Props of a review: back to the form, a new price, or go. */
export interface ReviewParts<Offer> {
  offer: Offer
  isRunning: boolean
  back: () => void
  onAgain: () => void
  onGo: () => void
}

/** An order of any kind, from its form to its end. Offers reserve money: one that is left is given back. */
export function Order<Draft, Offer extends { draft: Draft; quote: Pick<Quote, 'quoteId'> }>({
  ask,
  make,
  form,
  review,
  describe,
  texts,
  stays = false,
}: {
  ask: (client: Client, draft: Draft, show: ShowProgress) => Promise<Offer>
  /** @returns The hash of the transaction. */
  make: (client: Client, offer: Offer, show: ShowProgress) => Promise<string>
  form: (parts: FormParts<Draft>) => ReactNode
  review: (parts: ReviewParts<Offer>) => ReactNode
  describe: (offer: Offer) => ReactNode
  texts: { done: string; doneLead: string; failed: string }
  /** The page has to stay open until the order is handed over. */
  stays?: boolean
}) {
  const { client } = useSession()
  const [step, setStep] = useState<Step<Offer>>({ name: 'form' })
  const [doing, setDoing] = useState<FormParts<Draft>['doing']>(null)
  const { isRunning, failure, run, setFailure } = useTask()

  const onReview = (draft: Draft) =>
    run(async () => {
      const show: ShowProgress = (state, part) => setDoing({ state, part })
      try {
        setStep({ name: 'review', offer: await ask(client, draft, show) })
      } finally {
        setDoing(null)
      }
    })
  const back = (offer: Offer) => {
    setFailure(null)
    void dropOffer(client, offer)
    setStep({ name: 'form' })
  }
  const go = async (offer: Offer) => {
    let last = 'signing'
    try {
      const txHash = await make(client, offer, (state, part) => {
        last = state
        setStep({ name: 'progress', offer, state, part })
      })
      setStep({ name: 'done', offer, txHash })
    } catch (error) {
      setStep({ name: 'failed', text: describeProblem(error), isUnsent: isUnsent(error, last) })
    }
  }

  switch (step.name) {
    case 'review':
      return review({
        offer: step.offer,
        isRunning,
        back: () => back(step.offer),
        onAgain: () => {
          void dropOffer(client, step.offer)
          onReview(step.offer.draft)
        },
        onGo: () => void go(step.offer),
      })
    case 'progress':
      return (
        <Progress state={step.state} part={step.part} stays={stays}>
          {describe(step.offer)}
        </Progress>
      )
    case 'done':
      return (
        <div className="stack">
          <Heading lead={texts.doneLead}>{texts.done}</Heading>
          <div className="sheet center">
            {describe(step.offer)}
            <code className="hash">{step.txHash}</code>
          </div>
          <a className="button main" href="#/home">
            {TEXTS.sent.home}
          </a>
        </div>
      )
    case 'failed':
      return (
        <NotSent
          title={texts.failed}
          text={step.text}
          isUnsent={step.isUnsent}
          back={() => setStep({ name: 'form' })}
        />
      )
    default:
      return form({ isRunning, failure, doing, onReview })
  }
}
