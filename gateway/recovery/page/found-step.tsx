import { useState } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { notePhrase } from 'stealth-relay/client/pool'
import { planMoves, type Holding, type Plan, type SearchResult } from 'stealth-relay/client/recovery'
import { Form } from '../../wallet/parts/form.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { demandDestination, type MovePlace } from '../destinations.ts'
import { describeGap, describePoolless, wordFailure, wordHolding, PAGE } from '../texts.ts'
import { checkDestinations, DestinationFields, NO_DESTINATIONS } from './destination-fields.tsx'
import type { SearchTerms } from './terms.ts'

const isOther = (holding: Holding) => holding.kind === 'token' && !holding.isKnown

/** Shows what there is. The user chooses what moves, and where to. */
export function FoundStep({
  keys,
  terms,
  result,
  back,
  onPlan,
}: {
  keys: WalletKeys
  terms: SearchTerms
  result: SearchResult
  back: () => void
  onPlan: (plan: Plan) => void
}) {
  const { holdings, searched, lastUsed, gaps, poolless } = result
  const [chosen, setChosen] = useState(new Set(holdings.filter((holding) => !isOther(holding))))
  const [written, setWritten] = useState(NO_DESTINATIONS)
  const [mayJoin, setMayJoin] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const { found } = PAGE
  const { chains } = terms

  async function plan() {
    const checked = checkDestinations(written, { chosen: [...chosen], all: holdings })
    setWritten({ ...written, errors: 'errors' in checked ? checked.errors : {} })
    if ('errors' in checked) return undefined
    if (chosen.size === 0) return setFailure(found.none)
    setRunning(true)
    setFailure(null)
    try {
      const destination = (at: MovePlace) => demandDestination(checked.destinations, at)
      onPlan(await planMoves(chains, [...chosen], { destination, mayJoin }))
    } catch (error) {
      setFailure(wordFailure(error))
    } finally {
      setRunning(false)
    }
    return undefined
  }
  const toggle = (holding: Holding) => {
    const next = new Set(chosen)
    if (!next.delete(holding)) next.add(holding)
    setChosen(next)
  }
  const lineOf = (holding: Holding, place: number) => (
    <div className="held" key={place}>
      <label className="check">
        <input type="checkbox" checked={chosen.has(holding)} onChange={() => toggle(holding)} />
        <span>
          <span className="strong">{wordHolding(holding, chains)}</span>
          <br />
          <span className="hash">{holding.owner.address}</span>
        </span>
      </label>
    </div>
  )
  const others = holdings.filter(isOther)
  if (holdings.length === 0)
    return (
      <>
        <Heading lead={found.nothingLead}>{found.nothing}</Heading>
        <p className="quiet">{found.lead(searched, lastUsed)}</p>
        <Gaps gaps={gaps} poolless={poolless} />
        <button type="button" className="button main wide" onClick={back}>
          {PAGE.back}
        </button>
      </>
    )
  return (
    <Form onSubmit={plan}>
      <Heading lead={found.lead(searched, lastUsed)}>{found.title}</Heading>
      <Gaps gaps={gaps} poolless={poolless} />
      {chains.map((chain) => {
        const ofChain = holdings.filter((holding) => holding.chainId === chain.chainId && !isOther(holding))
        if (ofChain.length === 0) return null
        return (
          <section className="sheet" key={chain.chainId} aria-label={chain.name}>
            <h2>{chain.name}</h2>
            {ofChain.map(lineOf)}
          </section>
        )
      })}
      {others.length > 0 && (
        <section className="sheet" aria-label={found.others}>
          <h2>{found.others}</h2>
          <p className="hint">{found.othersLead}</p>
          {others.map(lineOf)}
        </section>
      )}
      <DestinationFields chains={chains} chosen={[...chosen]} value={written} onChange={setWritten} />
      <label className="check">
        <input type="checkbox" checked={mayJoin} onChange={() => setMayJoin(!mayJoin)} />
        <span>
          {found.join}
          <br />
          <span className="hint">{found.joinHint}</span>
        </span>
      </label>
      {failure && <Notice kind="bad">{failure}</Notice>}
      <button type="submit" className="button main wide" disabled={isRunning}>
        {found.plan}
      </button>
      {holdings.some(({ kind }) => kind === 'note') && (
        <details className="sheet">
          <summary>{found.privately}</summary>
          <p className="hint">{found.words}</p>
          <p className="words">{notePhrase(keys.spendKey, keys.viewKey).mnemonic}</p>
        </details>
      )}
      <button type="button" className="button plain wide" onClick={back}>
        {PAGE.back}
      </button>
    </Form>
  )
}

function Gaps({ gaps, poolless }: Pick<SearchResult, 'gaps' | 'poolless'>) {
  if (gaps.length + poolless.length === 0) return null
  return (
    <Notice kind="wait">
      {gaps.map((gap, place) => (
        <p key={place}>{describeGap(gap)}</p>
      ))}
      {poolless.map((chain) => (
        <p key={chain}>{describePoolless(chain)}</p>
      ))}
    </Notice>
  )
}
