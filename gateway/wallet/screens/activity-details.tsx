import { useState } from 'react'
import { AddressText } from '../parts/address-text.tsx'
import { Field } from '../parts/field.tsx'
import { formatToken } from '../parts/format.ts'
import { Notice } from '../parts/notice.tsx'
import { Fact } from '../parts/review.tsx'
import { useTask } from '../parts/use-task.ts'
import type { HistoryEntry } from '../session/answers.ts'
import type { PrivateNotes } from '../session/use-private-notes.ts'
import { TEXTS } from '../texts.ts'

/** All that is known of a payment, and the user's own note on it. */
export function ActivityDetails({ activity, notes }: { activity: HistoryEntry; notes: PrivateNotes }) {
  const { kind, from, to, chain, fees, txHash, explorerTxUrlBase, sourceProvenance, quoteId } = activity
  const { activity: texts } = TEXTS
  const other = kind === 'RECEIVE' ? from : to
  const { fundingLabel = null, associationLabel = null } = sourceProvenance?.display ?? {}
  return (
    <div className="details">
      <dl className="facts">
        {other && (
          <Fact name={kind === 'RECEIVE' ? texts.sender : texts.recipient}>
            <AddressText address={other} />
          </Fact>
        )}
        {chain && <Fact name={texts.chain}>{chain.name}</Fact>}
        {fees.length > 0 && (
          <Fact name={texts.fee}>
            {fees
              .map(({ value, tokenSymbol: symbol, decimals }) => formatToken(value, { symbol, decimals }))
              .join(' + ')}
          </Fact>
        )}
        {fundingLabel && <Fact name={texts.origin}>{fundingLabel}</Fact>}
        {associationLabel && <Fact name={texts.joined}>{associationLabel}</Fact>}
        {txHash && (
          <Fact name={texts.transaction}>
            <code className="hash">{txHash}</code>
          </Fact>
        )}
      </dl>
      {txHash && explorerTxUrlBase && (
        <a className="link" href={explorerTxUrlBase + txHash} target="_blank" rel="noreferrer noopener">
          {texts.look}
        </a>
      )}
      {quoteId && notes.texts && (
        <NoteForm
          key={notes.texts.get(quoteId) ?? ''}
          text={notes.texts.get(quoteId) ?? ''}
          save={(text) => notes.write(quoteId, text)}
        />
      )}
    </div>
  )
}

function NoteForm({ text, save }: { text: string; save: (text: string) => Promise<void> }) {
  const [written, write] = useState(text)
  const { isRunning, failure, run } = useTask()
  const { activity: texts } = TEXTS
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        run(() => save(written.trim()))
      }}
    >
      <Field
        label={texts.note}
        hint={text === '' ? texts.noteHint : texts.noteSaved}
        value={written}
        maxLength={200}
        onChange={(event) => write(event.target.value)}
      />
      {failure && <Notice kind="bad">{failure}</Notice>}
      {written.trim() !== text && (
        <button type="submit" className="button quiet" disabled={isRunning}>
          {texts.noteSave}
        </button>
      )}
    </form>
  )
}
