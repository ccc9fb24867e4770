import { activityWords } from './activity-words.ts'
import { relayerWords } from './relayer-words.ts'
import { sendingWords } from './sending-words.ts'
import { words } from './words.ts'

const glossary: Readonly<Record<string, string | undefined>> = {
  ...activityWords,
  ...sendingWords,
  ...relayerWords,
  ...words,
}

/** What a member means where its shape does not say: of one type, or wherever it stands. */
export function explainMember(type: string, member: string): string | undefined {
  return glossary[`${type}.${member}`] ?? glossary[member]
}
