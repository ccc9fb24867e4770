import { useQuery, type RequestPolicy } from 'urql'
import type { ContactEntry, ContactsAnswer } from './answers.ts'
import { CONTACTS } from './documents.ts'
import { useSession } from './session.ts'

/** The address book, empty while it is read; `read` reads it again. */
export function useContacts(requestPolicy: RequestPolicy = 'cache-first'): {
  contacts: readonly ContactEntry[]
  read: () => void
} {
  const { client } = useSession()
  const [{ data }, ask] = useQuery<ContactsAnswer>({
    query: CONTACTS,
    variables: { accountId: client.accountId },
    requestPolicy,
  })
  return {
    contacts: data?.account?.contacts.nodes ?? [],
    read: () => ask({ requestPolicy: 'network-only' }),
  }
}
