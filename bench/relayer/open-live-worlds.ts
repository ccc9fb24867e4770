import { SettingsError, type Settings } from '../settings.ts'
import { openKeptNotes } from './kept-notes.ts'
import { NOTES_PER_POOL, prepareLiveNotes } from './prepare-live-notes.ts'
import { loadDescription } from './load-description.ts'
import type { RelayWorld } from './relay-world.ts'

/**
 * Yields a running relayer once for each round, with the round's share of the notes. Proofs are prepared for several rounds
 * at once: at most as many as the pools remember roots.
 */
export async function* openLiveWorlds(
  settings: Settings,
  url: string,
  devnet: string,
): AsyncGenerator<RelayWorld> {
  const { rounds, relayer, tell } = settings
  const { chains, asp } = await loadDescription(devnet)
  if (!asp) throw new SettingsError('--devnet: that devnet runs without an ASP, which notes need')
  const needsNotes = relayer.modes.some((mode) => mode !== 'quote')
  const perRound = needsNotes ? Math.ceil(relayer.notes / rounds) : 0
  const most = chains.length * NOTES_PER_POOL
  if (perRound > most)
    throw new Error(
      `--notes: at most ${most} a round, ${NOTES_PER_POOL} for each of ${chains.length} native pools`,
    )
  const kept = await openKeptNotes(settings.out)
  const roundsOfWave = perRound === 0 ? rounds : Math.floor(most / perRound)
  for (let first = 0; first < rounds; first += roundsOfWave) {
    const wave = Math.min(roundsOfWave, rounds - first)
    const count = Math.min(perRound * wave, Math.max(0, (needsNotes ? relayer.notes : 0) - perRound * first))
    const dealt = chains.map((chain, place) => ({
      chain,
      count: Math.floor((count + chains.length - 1 - place) / chains.length),
    }))
    const notes = await prepareLiveNotes({ url, aspUrl: asp.url, kept, dealt, tell })
    for (let round = 0; round < wave; round += 1) {
      tell(`round ${first + round + 1} of ${rounds}`)
      yield { url, chains, notes: notes.filter((_, index) => index % wave === round) }
    }
  }
}
