import { useState } from 'react'
import { AddressText } from '../parts/address-text.tsx'
import { formatToken } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import type { PaymentDraft, Warning } from '../session/ask-payment.ts'
import { TEXTS } from '../texts.ts'

/** One of the three warnings. The way back is the easy one. */
export function PaymentWarning({
  warning,
  draft,
  isRunning,
  failure,
  back,
  onAccept,
}: {
  warning: Warning
  draft: PaymentDraft | null
  isRunning: boolean
  failure: string | null
  back: () => void
  onAccept: () => void
}) {
  const [isCompared, setCompared] = useState(false)
  const { poisoning, mixing, contract } = TEXTS
  if (warning.kind === 'poisoning')
    return (
      <div className="stack">
        <Heading lead={poisoning.lead(warning.prefix, warning.suffix)}>{poisoning.title}</Heading>
        <div className="sheet warning compare">
          <h2>{poisoning.yours}</h2>
          <AddressText address={warning.resolved} other={warning.matched} />
          <h2>{poisoning.known(warning.name)}</h2>
          <AddressText address={warning.matched} other={warning.resolved} />
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={isCompared}
            onChange={(event) => setCompared(event.target.checked)}
          />
          <span>{poisoning.compared}</span>
        </label>
        {failure && <Notice kind="bad">{failure}</Notice>}
        <button type="button" className="button main wide" onClick={back}>
          {poisoning.stop}
        </button>
        <button
          type="button"
          className="button danger wide"
          disabled={!isCompared || isRunning}
          onClick={onAccept}
        >
          {poisoning.anyway}
        </button>
      </div>
    )
  const isMix = warning.kind === 'mixing'
  return (
    <div className="stack">
      <Heading lead={isMix ? mixing.lead(warning.count) : contract.lead}>
        {isMix ? mixing.title : contract.title}
      </Heading>
      <div className="sheet warning">
        {warning.kind === 'mixing'
          ? draft && <p>{mixing.most(formatToken(warning.most, draft))}</p>
          : warning.kind === 'contract' && <AddressText address={warning.address} />}
      </div>
      {failure && <Notice kind="bad">{failure}</Notice>}
      <button type="button" className="button main wide" onClick={back}>
        {isMix ? mixing.less : poisoning.stop}
      </button>
      <button type="button" className="button danger wide" disabled={isRunning} onClick={onAccept}>
        {isMix ? mixing.anyway : contract.anyway}
      </button>
    </div>
  )
}
