import type { DescribedChain } from '../../relayer/devnet/devnet-description.ts'
import type { Settings } from '../settings.ts'
import { prepareLiveNotes } from './prepare-live-notes.ts'
import { loadDescription } from './load-description.ts'
import type { RelayWorld } from './relay-world.ts'

/** Withdrawals whose state root a pool still remembers when the last of them comes: it keeps 64. */
const NOTES_PER_POOL = 60

/** A running relayer, its notes dealt out to the rounds. Everything is prepared before the first round. */
export async function* openLiveWorlds(
  settings: Settings,
  url: string,
  devnet: string,
): AsyncGenerator<RelayWorld> {
  const { rounds, relayer, tell } = settings
  const { chains, asp } = await loadDescription(devnet)
  const most = chains.length * NOTES_PER_POOL
  const needsNotes = relayer.modes.some((mode) => mode !== 'quote')
  if (needsNotes && relayer.notes > most)
    throw new Error(`--notes: at most ${most}, ${NOTES_PER_POOL} for each of ${chains.length} native pools`)
  const count = needsNotes ? relayer.notes : 0
  const dealt = chains.map((chain, place): { chain: DescribedChain; count: number } => ({
    chain,
    count: Math.floor((count + chains.length - 1 - place) / chains.length),
  }))
  const notes = await prepareLiveNotes({ url, aspUrl: asp.url, dealt, tell })
  for (let round = 0; round < rounds; round += 1) {
    tell(`round ${round + 1} of ${rounds}`)
    yield { url, chains, notes: notes.filter((_, index) => index % rounds === round) }
  }
}
