import { useEffect, useState } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import { findHoldings, type SearchResult } from 'stealth-relay/client/recovery'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { describeSearch, PAGE, wordFailure } from '../texts.ts'
import type { SearchTerms } from './terms.ts'

/** Searches as soon as it is shown. */
export function SearchStep({
  keys,
  terms,
  back,
  onResult,
}: {
  keys: WalletKeys
  terms: SearchTerms
  back: () => void
  onResult: (result: SearchResult) => void
}) {
  const [work, setWork] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    const { chains, ...options } = terms
    findHoldings(keys, chains, { ...options, report: (progress) => setWork(describeSearch(progress)) }).then(
      (result) => isShown && onResult(result),
      (error: unknown) => setFailure(wordFailure(error)),
    )
    return () => {
      isShown = false
    }
    // It searches once for each time that it is shown.
  }, [])
  return (
    <>
      <Heading lead={PAGE.searchingLead}>{PAGE.searching}</Heading>
      {failure ? <Notice kind="bad">{failure}</Notice> : <p aria-live="polite">{work}</p>}
      <button type="button" className="button plain wide" onClick={back}>
        {PAGE.back}
      </button>
    </>
  )
}
