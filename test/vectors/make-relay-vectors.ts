import { writeFileSync } from 'node:fs'
import { buildTree } from '../../relayer/devnet/wallet/merkle-proof.ts'
import { startProver } from '../../relayer/devnet/wallet/prover.ts'
import { commitmentInput, withdrawInput } from '../../relayer/devnet/wallet/withdraw-input.ts'
import { fingerprint, packProof, RELAY_FILE, type RelayFile, type StoredProof } from './relay-file.ts'
import { at, stateLeaves, tellRelayStory } from './relay-story.ts'

// Makes relay.json anew: some 65 proofs of 4 to 5 seconds each. Needed when addresses or the story change.
const story = tellRelayStory()
const stateTrees = {
  native: buildTree(stateLeaves(story, 'native')),
  token: buildTree(stateLeaves(story, 'token')),
}
const aspTree = buildTree(story.deposits.map(({ note }) => note.label))
const prover = startProver()

const relays: StoredProof[] = []
for (const { deposit, amount, change, context } of story.relays) {
  const { pool, note } = at(story.deposits, deposit)
  const input = withdrawInput({ note, amount, change, context, stateTree: stateTrees[pool], aspTree })
  relays.push(packProof(await prover.prove('withdraw', input)))
  console.log(`proof ${relays.length} of ${story.relays.length}`)
}
const { note } = at(story.deposits, story.ragequit)
const ragequit = packProof(await prover.prove('commitment', commitmentInput(note)))
await prover.close()

const file: RelayFile = { story: fingerprint(story), relays, ragequit }
writeFileSync(RELAY_FILE, `${JSON.stringify(file)}\n`)
console.log(`written: ${RELAY_FILE.pathname}`)
