import type { Row, UnratedRow } from './row.ts'

const compared = (row: UnratedRow, kind: Row['compared']) =>
  kind === 'cpu' ? (row.cpuMs?.median ?? null) : row.wallMs.median

/** Divides each row's baseline by the row; null for a baseline, and where one of the two could not be measured. */
export function rateRows(rows: readonly UnratedRow[]): Row[] {
  return rows.map((row) => {
    const baseline = rows.find(({ name }) => name === row.baseline)
    const [theirs, ours] = [baseline && compared(baseline, row.compared), compared(row, row.compared)]
    return { ...row, ratioToBaseline: theirs && ours ? theirs / ours : null }
  })
}
