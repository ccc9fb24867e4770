import type { Row, Spread } from '../measure/row.ts'
import type { Results } from './results.ts'

const HEAD = ['', 'CPU ms', 'min – max', 'wall ms', 'min – max', 'ratio', 'to']

/** The results as text for a terminal. */
export function printTable({ machine, rows }: Results): string {
  const lines = rows.map((row) => [
    row.name,
    row.cpuMs ? figure(row.cpuMs.median) : '–',
    row.cpuMs ? range(row.cpuMs) : '',
    figure(row.wallMs.median),
    range(row.wallMs),
    row.ratioToBaseline === null ? '' : `${row.ratioToBaseline.toFixed(2)} ×`,
    row.baseline ? `${row.baseline}${row.compared === 'wall' ? ' (wall)' : ''}` : 'baseline',
  ])
  const widths = HEAD.map((_, column) =>
    Math.max(...[HEAD, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const isText = (column: number) => column === 0 || column === HEAD.length - 1
  const format = (line: string[]) =>
    line
      .map((cell, column) =>
        isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const notes = rows.flatMap((row) => [
    ...describeRelays(row),
    ...(row.rpc
      ? [`${row.name}: ${figure(row.rpc.calls)} calls in ${figure(row.rpc.trips)} round trips to the node`]
      : []),
    ...(row.note ? [`${row.name}: ${row.note}`] : []),
  ])
  const { cpu, cores, memoryMb, node, os, loadBefore } = machine
  return [
    `${cpu}, ${cores} cores, ${memoryMb} MB, Node ${node}, ${os}, load before the run ${loadBefore}`,
    '',
    ...[HEAD, ...lines].map(format),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')
}

/** Formats three significant digits, which is the accuracy of the figures. */
export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

const range = ({ min, max }: Spread) => `${figure(min)} – ${figure(max)}`

function describeRelays({ name, relays, latencyMs, service }: Row): string[] {
  if (!relays) return []
  const { notes, accepted, confirmed, reverted, perSecond } = relays
  const latency = latencyMs
    ? `, latency p50 ${figure(latencyMs.p50)} p95 ${figure(latencyMs.p95)} p99 ${figure(latencyMs.p99)} ms`
    : ''
  const process = service
    ? `, service at most ${figure(service.memoryMb)} MB, event loop delay p99 ${figure(service.eventLoopDelayP99Ms)} ms`
    : ''
  return [
    `${name}: ${notes} notes, ${accepted} accepted, ${confirmed} confirmed, ${reverted} reverted, ${figure(perSecond)} per second${latency}${process}`,
  ]
}
