import { useState } from 'react'
import type { BackupChain } from 'stealth-relay/client'
import { listRecoveryChains, openRecoveryChain, type RecoveryChain } from 'stealth-relay/client/recovery'
import { Field } from '../../wallet/parts/field.tsx'
import { Form } from '../../wallet/parts/form.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { PAGE } from '../texts.ts'
import type { SearchTerms } from './terms.ts'

const OTHER = 'other'
const GAPS = '200'

/** Asks for a node of each network. No node is suggested: the page would choose who learns the addresses. */
export function NodesStep({
  ofBackup,
  onTerms,
}: {
  ofBackup: readonly BackupChain[]
  onTerms: (terms: SearchTerms) => void
}) {
  const known = listRecoveryChains(ofBackup)
  const [urls, setUrls] = useState<Readonly<Record<string, string>>>({})
  const [since, setSince] = useState('')
  const [gap, setGap] = useState(GAPS)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const { nodes } = PAGE

  async function look() {
    const named = Object.values(urls).flatMap((url) => url.trim() || [])
    if (named.length === 0) return setFailure(nodes.none)
    setRunning(true)
    setFailure(null)
    const chains: RecoveryChain[] = []
    for (const url of named) {
      const chain = await openRecoveryChain(url, known).catch(() => null)
      if (chain) chains.push(chain)
      else setFailure(nodes.refused(url))
    }
    setRunning(false)
    if (chains.length < named.length) return undefined
    const from = BigInt(/^\d+$/.test(since.trim()) ? since.trim() : 0)
    return onTerms({
      chains,
      since: Object.fromEntries(chains.map(({ chainId }) => [chainId, from])),
      gap: Math.max(1, Math.trunc(Number(gap)) || 1),
    })
  }
  const fieldOf = (key: string, label: string) => (
    <Field
      key={key}
      label={label}
      type="url"
      inputMode="url"
      value={urls[key] ?? ''}
      onChange={(event) => setUrls({ ...urls, [key]: event.target.value })}
    />
  )
  return (
    <Form onSubmit={look}>
      <Heading lead={nodes.lead}>{nodes.title}</Heading>
      <div className="sheet stack">
        <p className="hint">{nodes.hint}</p>
        {known.map(({ chainId, name }) => fieldOf(String(chainId), nodes.url(name)))}
        {fieldOf(OTHER, nodes.other)}
      </div>
      <details className="sheet">
        <summary>{nodes.more}</summary>
        <div className="stack">
          <Field
            label={nodes.gap}
            hint={nodes.moreHint}
            inputMode="numeric"
            value={gap}
            onChange={(event) => setGap(event.target.value)}
          />
          <Field
            label={nodes.since}
            hint={nodes.sinceHint}
            inputMode="numeric"
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        </div>
      </details>
      {failure && <Notice kind="bad">{failure}</Notice>}
      <button type="submit" className="button main wide" disabled={isRunning}>
        {nodes.look}
      </button>
    </Form>
  )
}
