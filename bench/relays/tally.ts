import type { UnratedRow } from '../measure/row.ts'
import { summarize, type Sample } from '../measure/take-sample.ts'

/** Counts of a round besides time. */
interface Counts {
  /** Methods of each round trip to the node, where a door counts them. */
  trips?: readonly (readonly string[])[]
  /** Of these, the methods that serve single relays. */
  ownTrips?: readonly (readonly string[])[]
  /** Statements to PostgreSQL, with those of everything else that runs. */
  statements?: number
  /** Successful operations. */
  good: number
}

const EAGER =
  'snarkjs in one thread, viem simulates, sends and looks for the receipt every 50 ms: the CPU of that client alone'
const NOTES: Readonly<Record<string, string>> = {
  'relays.eagerAt1': EAGER,
  'relays.eagerAt4': EAGER,
  'relays.eagerAt16': EAGER,
  'relays.quote': 'on a new connection each; peer: none',
  'relays.emptyBlock':
    'without the looks for a new head; its CPU is that of 1.5 s in which one block comes; peer: none',
}

/** Collects the rounds of the relays' rows. */
export function createTally() {
  const rows = new Map<string, { sample: Sample; counts: Counts | undefined }[]>()
  return {
    add(name: string, sample: Sample, counts?: Counts): void {
      rows.set(name, [...(rows.get(name) ?? []), { sample, counts }])
    },
    rows: (): UnratedRow[] =>
      [...rows].map(([name, rounds]) => {
        const baseline = name.startsWith('relays.at') ? name.replace('at', 'eagerAt') : null
        const row = summarize(
          { name, baseline, compared: 'cpu' },
          rounds.map(({ sample }) => sample),
        )
        const counts = rounds.flatMap((round) => round.counts ?? [])
        const trips = counts.flatMap((one) => one.trips ?? [])
        const good = counts.reduce((sum, one) => sum + one.good, 0)
        const speed = (1_000 / row.wallMs.median).toFixed(1)
        const outcome = `${good} of ${row.operations} came to a good end, ${speed} a second`
        const own = counts.flatMap((one) => one.ownTrips ?? [])
        const statements = counts.reduce((sum, one) => sum + (one.statements ?? 0), 0)
        const each = (count: number) => (count / row.operations).toFixed(1)
        const asked = `beyond watching ${each(own.flat().length)} calls in ${each(own.length)} trips, ${each(statements)} statements`
        const note = [
          ...(name.includes('At') || baseline ? [outcome] : []),
          ...(own.length > 0 ? [asked] : []),
          NOTES[name] ?? [],
        ]
          .flat()
          .join('; ')
        return {
          ...row,
          ...(trips.length > 0 && {
            rpc: { calls: trips.flat().length / row.operations, trips: trips.length / row.operations },
          }),
          note,
        }
      }),
  }
}
