import { DemoError } from './demo-error.ts'
import { openWorld, type DemoWorld } from './open-world.ts'
import { playAccounts } from './play-accounts.ts'
import { playBridge } from './play-bridge.ts'
import { playSend } from './play-send.ts'
import { openTerminal } from './terminal.ts'
import { playSwap } from './play-swap.ts'
import { playCash } from './play-cash.ts'
import { playPool } from './play-pool.ts'
import { playRelay } from './play-relay.ts'
import { playReview } from './play-review.ts'
import { exitProcess } from '../../../../relayer/concurrency/run-contained.ts'

const STORIES: Readonly<Record<string, (world: DemoWorld) => Promise<void>>> = {
  accounts: playAccounts,
  send: playSend,
  swap: async (world) => {
    await playSwap(world)
    await playBridge(world)
  },
  cash: playCash,
  relay: playRelay,
  review: playReview,
  pool: playPool,
}
const HELP = `Usage: npm run demo -- [${Object.keys(STORIES).join('|')}]

Plays clients of the service that \`npm start\` runs in another terminal, with the devnet's worthless money: all stories,
or those that are named. PORT, HOST, DATA_DIR and SIGN_IN_DOMAINS are the service's.
`

async function runDemo(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in STORIES))
  if (unknown.length > 0) throw new DemoError(`There is no story ${unknown.join(', ')}.\n\n${HELP}`)
  const terminal = openTerminal(process.stdout)
  const world = await openWorld(process.env, terminal)
  const started = performance.now()
  for (const [name, play] of Object.entries(STORIES))
    if (names.length === 0 || names.includes(name)) await play(world)
  const seconds = Math.round((performance.now() - started) / 1_000)
  terminal.note(`Done in ${seconds} s. See what the service saw at ${world.url}/\n`)
}

/** True for connections that are refused or break off, in the words of `fetch` and of viem. */
const isSilence = (error: unknown) =>
  error instanceof Error && /fetch failed|HTTP request failed|terminated/.test(error.message)

// A reader that stops early, as `head` does, has seen enough.
process.stdout.on('error', () => process.exit(0))
try {
  const names = process.argv.slice(2)
  if (names.includes('--help')) console.log(HELP)
  else await runDemo(names)
  exitProcess(0)
} catch (error) {
  if (error instanceof DemoError) console.error(`\n${error.message}`)
  else if (error instanceof Error && / 429 /.test(error.message))
    console.error(`\n${error.message}\nThat was too much within a minute: wait one, and run it again.`)
  else if (isSilence(error))
    console.error('\nThe service or its chain has stopped answering: see what its terminal says.')
  else console.error(error)
  exitProcess(1)
}
