import { useState } from 'react'
import { useQuery } from 'urql'
import { ActivityList, nameContacts } from '../parts/activity-list.tsx'
import { Ghosts } from '../parts/ghosts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import type { HistoryAnswer } from '../session/answers.ts'
import { HISTORY } from '../session/documents.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { useSession } from '../session/session.ts'
import { useContacts } from '../session/use-contacts.ts'
import { useHome } from '../session/use-home.ts'
import { usePrivateNotes, type PrivateNotes } from '../session/use-private-notes.ts'
import { TEXTS } from '../texts.ts'
import { ActivityDetails } from './activity-details.tsx'

/** The history, page by page. */
export function ActivityScreen() {
  const { account } = useHome()
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const names = nameContacts(useContacts().contacts)
  const notes = usePrivateNotes()
  const pending = account?.pendingActivities?.filter(({ state }) => state !== 'indexed') ?? []
  return (
    <>
      <Heading>{TEXTS.activity.title}</Heading>
      <div className="sheet">
        {pending.length > 0 && <ActivityList activities={pending} names={names} />}
        {cursors.map((after, place) => (
          <HistoryPage
            key={after ?? 'first'}
            after={after}
            names={names}
            notes={notes}
            {...(place === cursors.length - 1 && {
              onMore: (next: string) => setCursors((known) => [...known, next]),
            })}
          />
        ))}
      </div>
    </>
  )
}

function HistoryPage({
  after,
  names,
  notes,
  onMore,
}: {
  after: string | null
  names: ReturnType<typeof nameContacts>
  notes: PrivateNotes
  onMore?: (cursor: string) => void
}) {
  const { client } = useSession()
  const [{ data, error }, read] = useQuery<HistoryAnswer>({
    query: HISTORY,
    variables: { accountId: client.accountId, after },
    requestPolicy: 'cache-and-network',
  })
  const page = data?.account?.activities
  if (error && !page)
    return (
      <Notice kind="bad">
        <p>{TEXTS.activity.failed}</p>
        <p className="hint">{describeProblem(error)}</p>
        <button type="button" className="link" onClick={() => read({ requestPolicy: 'network-only' })}>
          {TEXTS.tryAgain}
        </button>
      </Notice>
    )
  if (!page) return <Ghosts />
  const { endCursor, hasNextPage } = page.pageInfo
  return (
    <>
      <ActivityList
        activities={page.nodes}
        names={names}
        details={(activity) => <ActivityDetails activity={activity} notes={notes} />}
      />
      {onMore && hasNextPage && endCursor && (
        <button type="button" className="button quiet" onClick={() => onMore(endCursor)}>
          {TEXTS.activity.more}
        </button>
      )}
    </>
  )
}
