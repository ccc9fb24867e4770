import { writeFileSync } from 'node:fs'
import { startProver } from '../devnet/wallet/prover.ts'
import { commitmentInput } from '../../schema/client/pool/withdraw-input.ts'
import { proveRelay } from './prove-relay.ts'
import { fingerprint, packProof, RELAY_FILE, type RelayFile, type StoredProof } from './relay-file.ts'
import { at, tellRelayStory } from './relay-story.ts'
import { describeRemade, REMADE_RELAYS } from './remade-relays.ts'

// Makes relay.json anew: some 65 proofs of 4 to 5 seconds each. Needed when addresses or the story change.
const story = tellRelayStory()
const prover = startProver()

const relays: StoredProof[] = []
for (const [index, { context }] of story.relays.entries()) {
  relays.push(packProof(await proveRelay(prover, story, index, context)))
  console.log(`proof ${relays.length} of ${story.relays.length}`)
}
const remade: StoredProof[] = []
for (const one of REMADE_RELAYS) {
  const { context } = describeRemade(story, one)
  remade.push(packProof(await proveRelay(prover, story, one.relay, context)))
}
const { note } = at(story.deposits, story.ragequit)
const ragequit = packProof(await prover.prove('commitment', commitmentInput(note)))
await prover.close()

const file: RelayFile = { story: fingerprint(story), relays, remade, ragequit }
writeFileSync(RELAY_FILE, `${JSON.stringify(file)}\n`)
console.log(`written: ${RELAY_FILE.pathname}`)
