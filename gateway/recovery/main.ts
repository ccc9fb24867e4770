import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { readBackup, type Backup, type BackupChain } from 'stealth-relay/client'
import {
  findHoldings,
  listRecoveryChains,
  openRecoveryChain,
  planMoves,
  runMoves,
  type Holding,
  type Plan,
  type RecoveryChain,
} from 'stealth-relay/client/recovery'
import type { Hex } from 'viem'
import { commitmentProver } from './commitment-prover.ts'
import { demandDestination, findDestination, readDestinations } from './destinations.ts'
import { listTargets } from './list-targets.ts'
import { nameEntrypoint } from './name-entrypoint.ts'
import {
  describeFee,
  describeGap,
  wordHolding,
  describeMove,
  describePoolless,
  describeSearch,
  describeState,
  describeTarget,
  describeTraces,
  DESTINATIONS,
  ENTRYPOINT,
  PAGE,
} from './texts.ts'

const USAGE = `Brings the money of a wallet home when the service is gone. It asks only the nodes that you name.

  node recover.mjs --backup FILE --rpc URL [--rpc URL …]            shows what there is
  node recover.mjs --backup FILE --rpc URL --to ADDRESS             shows what would happen, asks, and moves it

  --to ADDRESS     where everything goes; CHAIN:ADDRESS what is on one chain, OWN_ADDRESS:ADDRESS what one of your
                   addresses holds: different places keep your addresses apart
  --join           your addresses may pay each other's fees; observers see that they belong together
  --all-tokens     also tokens that the wallet does not know
  --entrypoint CHAIN:ADDRESS
                   where the pools of a chain are that is not known here
  --gap N          end after so many unused addresses, or deposits, in a row (200)
  --since BLOCK    read logs from this block on
  --yes            do not ask before sending

The password is asked for, or read from RECOVERY_PASSWORD. Without --backup the two secrets are read from
RECOVERY_SPEND_KEY and RECOVERY_VIEW_KEY.
`

const { values: given } = parseArgs({
  options: {
    backup: { type: 'string' },
    rpc: { type: 'string', multiple: true, default: [] },
    to: { type: 'string', multiple: true, default: [] },
    entrypoint: { type: 'string', multiple: true, default: [] },
    join: { type: 'boolean', default: false },
    'all-tokens': { type: 'boolean', default: false },
    gap: { type: 'string' },
    since: { type: 'string' },
    yes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say = (line = '') => void process.stdout.write(`${line}\n`)

/** @returns The exit status: 0 if everything that was chosen has moved, or nothing was to be moved. */
async function run(): Promise<number> {
  if (given.help || given.rpc.length === 0) {
    say(USAGE)
    return given.help ? 0 : 2
  }
  const destinations = readDestinations(given.to)
  const { keys, chains: ofBackup } = await readKeys()
  const known = listRecoveryChains(ofBackup)
  const chains = await Promise.all(given.rpc.map(async (url) => openNamed(url, known)))
  for (const named of given.entrypoint)
    if (!chains.some(({ chainId }) => named.startsWith(`${chainId}:`)))
      throw new Error(ENTRYPOINT.unused(named))
  const since = BigInt(given.since ?? 0)
  const { holdings, searched, gaps, poolless } = await findHoldings(keys, chains, {
    ...(given.gap && { gap: Number(given.gap) }),
    since: Object.fromEntries(chains.map(({ chainId }) => [chainId, since])),
    report: (progress) =>
      process.stderr.isTTY && process.stderr.write(`\r\u001b[K${describeSearch(progress)}`),
  })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  say(`${searched} addresses were searched.`)
  for (const gap of gaps) say(`! ${describeGap(gap)}`)
  for (const chain of poolless) say(`! ${describePoolless(chain)}`)
  for (const holding of holdings)
    say(
      `${holding.owner.address}  ${wordHolding(holding, chains)}${isOther(holding) ? ' (unknown token)' : ''}`,
    )
  if (given.to.length === 0 || holdings.length === 0) return 0
  const wanted = holdings.filter((holding) => given['all-tokens'] || !isOther(holding))
  const chosen = wanted.filter((holding) => findDestination(destinations, holding) !== null)
  const plan = await planMoves(chains, chosen, {
    destination: (at) => demandDestination(destinations, at),
    mayJoin: given.join,
  })
  const staying = new Set(wanted.filter((one) => !chosen.includes(one)).map(({ owner }) => owner.address))
  for (const address of staying) say(`! ${DESTINATIONS.none(address)}`)
  sayTargets(plan, chains)
  for (const move of plan.moves)
    say(
      `- ${describeMove(move, chains)}, from ${move.from.address}, fee at most ${describeFee(move.fee, chainOf(chains, move.chainId))}`,
    )
  for (const { owner, missing, chainId } of plan.short)
    say(
      `! ${owner.address} stays: it needs ${describeFee(missing, chainOf(chains, chainId))} for fees (--join lends it)`,
    )
  for (const holding of plan.dust)
    say(`! ${holding.owner.address} stays: ${wordHolding(holding, chains)} is less than the fee of moving it`)
  for (const line of describeTraces(plan)) say(line)
  if (plan.moves.length === 0) return 1
  if (!given.yes && (await ask('\nWrite "move" to sign and send: ')) !== 'move') return 1
  const isWhole = await runMoves(plan, {
    keys,
    chains,
    prover: commitmentProver,
    report(move, state) {
      if (state.state === 'done' || state.state === 'failed')
        say(`${describeState(state)}: ${describeMove(move, chains)} ${state.txHash ?? ''}`)
    },
  })
  return isWhole && plan.short.length + staying.size === 0 ? 0 : 1
}

/** Connects to a node, with the Entrypoint that was named for its chain. */
async function openNamed(url: string, known: readonly BackupChain[]): Promise<RecoveryChain> {
  const chain = await openRecoveryChain(url, known)
  const prefix = `${chain.chainId}:`
  const named = given.entrypoint.find((one) => one.startsWith(prefix))
  if (named === undefined) return chain
  say(`! ${ENTRYPOINT.warning}`)
  return nameEntrypoint(chain, named.slice(prefix.length))
}

function sayTargets(plan: Plan, chains: readonly RecoveryChain[]): void {
  const targets = listTargets(plan)
  for (const [place, target] of targets.entries()) {
    if (targets.length === 1) say(`\n${DESTINATIONS.everything(target.address)}`)
    else
      say(
        `${place === 0 ? `\n${DESTINATIONS.several}\n` : ''}${target.address}: ${describeTarget(target, chains)}`,
      )
    const on = plan.contracts.filter(({ address }) => address === target.address)
    if (on.length > 0)
      say(`! ${PAGE.review.contract(on.map(({ chainId }) => chainOf(chains, chainId).name))}`)
  }
}

const isOther = (holding: Holding) => holding.kind === 'token' && !holding.isKnown
const chainOf = (chains: readonly RecoveryChain[], chainId: number) =>
  chains.find((chain) => chain.chainId === chainId) ?? { chainId, name: '', nativeSymbol: '' }

async function readKeys(): Promise<Backup> {
  const { env } = process
  if (given.backup === undefined) {
    const keys = { spendKey: env['RECOVERY_SPEND_KEY'] as Hex, viewKey: env['RECOVERY_VIEW_KEY'] as Hex }
    if (!Object.values(keys).every((key) => /^0x[0-9a-f]{64}$/.test(key ?? '')))
      throw new Error('Give --backup FILE, or the two secrets in RECOVERY_SPEND_KEY and RECOVERY_VIEW_KEY')
    return { keys, chains: [] }
  }
  const text = await readFile(given.backup, 'utf8')
  const password = env['RECOVERY_PASSWORD'] ?? (await ask('Password of the backup: ', true))
  const backup = await readBackup(text, password)
  if (!backup) throw new Error('The password does not open this file, or it is not a backup of the wallet')
  return backup
}

/** Asks in the terminal. @param isSecret Shows nothing of what is typed. */
async function ask(question: string, isSecret = false): Promise<string> {
  process.stdout.write(question)
  const nowhere = new Writable({ write: (_, __, done) => done() })
  const terminal = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stdout,
    terminal: process.stdin.isTTY,
  })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    if (isSecret) say()
  }
}

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})
