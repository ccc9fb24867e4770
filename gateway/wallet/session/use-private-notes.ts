import { useEffect, useState } from 'react'
import { deriveNoteKey, readNotes, writeNote } from 'stealth-relay/client'
import { useSession } from './session.ts'

/** Notes that the user wrote on payments, by the id of their quote. Only the viewing key reads it. */
export interface PrivateNotes {
  /** Undefined while they are read. */
  texts: ReadonlyMap<string, string> | undefined
  /** Stores a note; empty text clears it. */
  write: (quoteId: string, text: string) => Promise<void>
}

export function usePrivateNotes(): PrivateNotes {
  const { client, keys } = useSession()
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>()
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const found = await readNotes(client, await deriveNoteKey(keys.viewKey))
      if (!isGone) setTexts(found)
    }
    // Payments show without their notes, too.
    read().catch(() => undefined)
    return () => void (isGone = true)
  }, [client, keys])
  return {
    texts,
    async write(quoteId, text) {
      await writeNote(client, await deriveNoteKey(keys.viewKey), quoteId, text)
      setTexts((known) => new Map(known).set(quoteId, text))
    },
  }
}
