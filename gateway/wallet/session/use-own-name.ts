import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { SETTINGS } from '../read-settings.ts'
import type { OwnNameAnswer } from './answers.ts'
import { OWN_NAME } from './documents.ts'
import { useSession } from './session.ts'

/** The account's own label below the service's parent; null before it has one, undefined while unknown or where there are no names. */
export function useOwnName(): string | null | undefined {
  const { client } = useSession()
  const [{ data }] = useQuery<OwnNameAnswer>({
    query: OWN_NAME,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
    pause: SETTINGS.nameParent === null,
  })
  const subdomain = data?.account?.subdomain
  // A later question that fails takes nothing away.
  const [known, setKnown] = useState(subdomain)
  useEffect(() => {
    if (subdomain !== undefined) setKnown(subdomain)
  }, [subdomain])
  return known
}
