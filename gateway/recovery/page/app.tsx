import { useState } from 'react'
import type { Backup } from 'stealth-relay/client'
import type { Plan, SearchResult } from 'stealth-relay/client/recovery'
import { PAGE } from '../texts.ts'
import { FoundStep } from './found-step.tsx'
import { KeysStep } from './keys-step.tsx'
import { MovingStep } from './moving-step.tsx'
import { NodesStep } from './nodes-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { SearchStep } from './search-step.tsx'
import type { SearchTerms } from './terms.ts'

type Step =
  | { at: 'keys' }
  | { at: 'nodes' }
  | { at: 'search'; terms: SearchTerms }
  | { at: 'found'; terms: SearchTerms; result: SearchResult }
  | { at: 'review'; terms: SearchTerms; result: SearchResult; plan: Plan }
  | { at: 'moving'; terms: SearchTerms; plan: Plan }

/** The steps one after the other. All that a person gave is in memory, until the page closes. */
export function App() {
  const [backup, setBackup] = useState<Backup | null>(null)
  const [step, setStep] = useState<Step>({ at: 'keys' })
  return (
    <main className="way">
      {step.at !== 'keys' && <p className="brand">{PAGE.title}</p>}
      {(step.at === 'keys' || !backup) && (
        <KeysStep
          onBackup={(opened) => {
            setBackup(opened)
            setStep({ at: 'nodes' })
          }}
        />
      )}
      {step.at === 'nodes' && backup && (
        <NodesStep ofBackup={backup.chains} onTerms={(terms) => setStep({ at: 'search', terms })} />
      )}
      {step.at === 'search' && backup && (
        <SearchStep
          keys={backup.keys}
          terms={step.terms}
          back={() => setStep({ at: 'nodes' })}
          onResult={(result) => setStep({ at: 'found', terms: step.terms, result })}
        />
      )}
      {step.at === 'found' && backup && (
        <FoundStep
          keys={backup.keys}
          terms={step.terms}
          result={step.result}
          back={() => setStep({ at: 'nodes' })}
          onPlan={(plan) => setStep({ ...step, at: 'review', plan })}
        />
      )}
      {step.at === 'review' && (
        <ReviewStep
          chains={step.terms.chains}
          plan={step.plan}
          back={() => setStep({ at: 'found', terms: step.terms, result: step.result })}
          onAgree={() => setStep({ at: 'moving', terms: step.terms, plan: step.plan })}
        />
      )}
      {step.at === 'moving' && backup && (
        <MovingStep
          keys={backup.keys}
          chains={step.terms.chains}
          plan={step.plan}
          again={() => setStep({ at: 'search', terms: step.terms })}
        />
      )}
    </main>
  )
}
