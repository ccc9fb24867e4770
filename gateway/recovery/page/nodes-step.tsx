import { useState } from 'react'
import type { BackupChain } from 'stealth-relay/client'
import { listRecoveryChains, openRecoveryChain, type RecoveryChain } from 'stealth-relay/client/recovery'
import { Field } from '../../wallet/parts/field.tsx'
import { Form } from '../../wallet/parts/form.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { nameEntrypoint } from '../name-entrypoint.ts'
import { ENTRYPOINT, PAGE, wordFailure } from '../texts.ts'
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
  const [entrypoints, setEntrypoints] = useState<Readonly<Record<string, string>>>({})
  const [since, setSince] = useState('')
  const [gap, setGap] = useState(GAPS)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const { nodes } = PAGE

  async function look() {
    const named = Object.entries(urls).flatMap(([key, url]) => (url.trim() ? [{ key, url: url.trim() }] : []))
    if (named.length === 0) return setFailure(nodes.none)
    setRunning(true)
    setFailure(null)
    const chains: RecoveryChain[] = []
    for (const { key, url } of named) {
      const chain = await openRecoveryChain(url, known).catch(() => null)
      if (!chain) setFailure(nodes.refused(url))
      const entrypoint = entrypoints[key]?.trim()
      const whole =
        chain && entrypoint
          ? await nameEntrypoint(chain, entrypoint).catch((error: unknown) => {
              setFailure(wordFailure(error))
              return null
            })
          : chain
      if (whole) chains.push(whole)
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
  const entrypointOf = (key: string, label: string) => (
    <Field
      key={key}
      label={label}
      className="mono"
      value={entrypoints[key] ?? ''}
      onChange={(event) => setEntrypoints({ ...entrypoints, [key]: event.target.value })}
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
        <summary>{nodes.pools}</summary>
        <div className="stack">
          <p className="hint">{nodes.poolsLead}</p>
          <Notice kind="wait">{ENTRYPOINT.warning}</Notice>
          {known
            .filter(({ entrypoint }) => entrypoint === undefined)
            .map(({ chainId, name }) => entrypointOf(String(chainId), nodes.entrypoint(name)))}
          {entrypointOf(OTHER, nodes.otherEntrypoint)}
        </div>
      </details>
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
