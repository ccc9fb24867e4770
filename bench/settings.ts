import { parseArgs } from 'node:util'

export const PARTS = [
  'verify',
  'sign',
  'simulate',
  'derive',
  'identity',
  'holdings',
  'indexer',
  'transact',
  'swap',
  'orders',
  'inspect',
  'pool',
  'relayer',
  'relays',
  'instances',
  'reads',
  'operate',
  'install',
  'api',
] as const
export type Part = (typeof PARTS)[number]

export const MODES = ['quote', 'request', 'full', 'duplicate', 'badproof', 'flood', 'evm'] as const
export type Mode = (typeof MODES)[number]

/** The suites to run, and their duration. */
export interface Settings {
  parts: readonly Part[]
  rounds: number
  /** Time that each case gets in each round, in milliseconds. */
  roundMs: number
  /** Print the results as one JSON object on the last line. */
  json: boolean
  /** Folder for the results. */
  out: string
  relayer: RelayerSettings
  /** Reports progress. */
  tell(what: string): void
}

export interface RelayerSettings {
  /** URL of a running relayer; null to start the service. */
  url: string | null
  /** Path of the devnet.json that describes the chain of the relayer at `url`. */
  devnet: string | null
  /** Withdrawals: of each round if the service is started, else of all rounds together. */
  notes: number
  concurrency: number
  modes: readonly Mode[]
}

export class SettingsError extends Error {
  override name = 'SettingsError'
}

export const HELP = `Usage: npm run bench -- [part …] [options]      parts: ${PARTS.join(', ')}; all unless named
       npm run bench:relayer -- [options]

  --rounds N       interleaved rounds of each part (5)
  --round-ms N     time of each case in each round, in milliseconds (300)
  --out DIR        folder of the results (bench/results)
  --json           print the results as one JSON object on the last line
  --help           this text

Options of the part relayer:
  --url URL        a running relayer that speaks the relayer's HTTP API; else the service is started
                   on a temporary folder, anew for each round, with the proofs of test/vectors
  --devnet FILE    the devnet.json (in its DATA_DIR) of the relayer at --url; deposits are made there
                   and proofs prepared before the clock starts, 5 seconds each; what a run leaves
                   unspent is kept in the folder of the results for the next
  --notes N        withdrawals: per round, at most 62 (60); with --url in all rounds together (20)
  --concurrency N  requests under way at once (16)
  --mode MODE      ${MODES.join(', ')}; all unless given. May be repeated

Figures are CPU and wall milliseconds per operation, medians of the rounds with the smallest and the largest.
"full" is a withdrawal from the request until the chain has it; "evm" the same where the node can only run calls.
"flood" is bad proofs without end from one client while another withdraws.
`

/** Reads the command line. @throws SettingsError with words for the person who typed it. */
export function readSettings(args: readonly string[], tell: Settings['tell']): Settings | 'help' {
  const { values, positionals } = parseOrExplain(args)
  if (values.help) return 'help'
  const url = values.url?.replace(/\/$/, '') ?? null
  const devnet = values.devnet ?? null
  if (url && !devnet)
    throw new SettingsError('--url needs --devnet: the devnet.json that describes its chain')
  if (devnet && !url) throw new SettingsError('--devnet goes with --url')
  const notes = count('notes', values.notes ?? (url ? '20' : '60'))
  if (!url && notes > 62) throw new SettingsError('--notes: there are vectors of 62 withdrawals')
  return {
    parts: positionals.length === 0 ? PARTS : choose('part', positionals, PARTS),
    rounds: count('rounds', values.rounds),
    roundMs: count('round-ms', values['round-ms']),
    json: values.json,
    out: values.out,
    relayer: {
      url,
      devnet,
      notes,
      concurrency: count('concurrency', values.concurrency),
      modes: values.mode ? choose('--mode', values.mode, MODES) : MODES,
    },
    tell,
  }
}

function parseOrExplain(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        'round-ms': { type: 'string', default: '300' },
        out: { type: 'string', default: 'bench/results' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        url: { type: 'string' },
        devnet: { type: 'string' },
        notes: { type: 'string' },
        concurrency: { type: 'string', default: '16' },
        mode: { type: 'string', multiple: true },
      },
    })
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new SettingsError(`--${name}: "${text}" is not a positive number`)
  return Number(text)
}

function choose<Name extends string>(what: string, given: readonly string[], known: readonly Name[]): Name[] {
  return given.map((text) => {
    const found = known.find((name) => name === text)
    if (!found) throw new SettingsError(`${what}: "${text}" is not one of ${known.join(', ')}`)
    return found
  })
}
