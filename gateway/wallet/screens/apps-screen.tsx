import { useState } from 'react'
import { useQuery } from 'urql'
import { AddressText } from '../parts/address-text.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { formatMoment } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import type { AppEntry, AppsAnswer } from '../session/answers.ts'
import { disconnectApp, listConnected } from '../session/connected-apps.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { APPS } from '../session/documents.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'

/** The apps that know an address, and whether they may ask on this device. */
export function AppsScreen() {
  const { client } = useSession()
  const { accountId } = client
  const [connected, setConnected] = useState(() => listConnected(accountId))
  const [{ data, error }] = useQuery<AppsAnswer>({
    query: APPS,
    variables: { accountId },
    requestPolicy: 'cache-and-network',
  })
  const { apps } = TEXTS
  const entries = data?.account?.apps?.edges
  return (
    <div className="stack">
      <Heading lead={apps.lead}>{apps.title}</Heading>
      {error && (
        <Notice kind="bad">
          <p>{apps.failed}</p>
          <p className="hint">{describeProblem(error)}</p>
        </Notice>
      )}
      {!entries && !error && (
        <div className="sheet">
          <Ghosts />
        </div>
      )}
      {entries?.length === 0 && <p className="sheet empty">{apps.none}</p>}
      {entries?.map((entry) => (
        <OneApp
          key={entry.node.origin}
          entry={entry}
          isConnected={connected.includes(entry.node.origin)}
          disconnect={() => {
            disconnectApp(accountId, entry.node.origin)
            setConnected(listConnected(accountId))
          }}
        />
      ))}
      {Boolean(entries?.length) && <p className="hint">{apps.money}</p>}
    </div>
  )
}

function OneApp({
  entry: {
    node: { origin },
    address,
    lastUsedAt,
  },
  isConnected,
  disconnect,
}: {
  entry: AppEntry
  isConnected: boolean
  disconnect: () => void
}) {
  const { apps } = TEXTS
  return (
    <section className="sheet stack">
      <div>
        <h2 className="asker">
          <ForeignText>{origin}</ForeignText>
        </h2>
        <p className="quiet">{apps.used(formatMoment(lastUsedAt))}</p>
        <p role="status" className={isConnected ? 'good' : 'quiet'}>
          {isConnected ? apps.connected : apps.notConnected}
        </p>
      </div>
      <div>
        <p className="quiet">{apps.address}</p>
        <AddressText address={address} />
      </div>
      <div className="row">
        <CopyButton text={address}>{TEXTS.receive.share}</CopyButton>
        {isConnected && (
          <button
            type="button"
            className="button danger"
            aria-label={apps.disconnectOf(origin)}
            onClick={disconnect}
          >
            {apps.disconnect}
          </button>
        )}
      </div>
      {isConnected && <p className="hint">{apps.disconnectLead}</p>}
    </section>
  )
}
