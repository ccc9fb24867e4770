import pg from 'pg'
import { z } from 'zod'

const plan = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  'Rows Removed by Join Filter': z.number().default(0),
  'Shared Hit Blocks': z.number(),
  'Shared Read Blocks': z.number(),
  get Plans() {
    return z.array(plan).default([])
  },
})
/** A node of a plan as PostgreSQL ran it. */
export type PlanNode = z.output<typeof plan>

const logged = z.object({ 'Query Text': z.string(), Plan: plan })

/** A statement that a server ran, triggers' statements included, and how. */
export interface RanStatement {
  text: string
  ms: number
  plan: PlanNode
}

/**
 * Makes PostgreSQL report each statement to its client as a notice: the plan for these very parameters, generic or not,
 * and the rows and pages touched. Applies to connections opened from now on.
 */
export async function tellPlans(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1))
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  try {
    // Its settings are not known before the library is there.
    await client.query(`load 'auto_explain'`)
    for (const [setting, value] of Object.entries(settings))
      await client.query(`alter database ${name} set ${setting} = '${value}'`)
  } finally {
    await client.end()
  }
}

/** The driver hands notices to this. */
const driver = pg.Client.prototype as unknown as { _handleNotice(notice: { message?: string }): void }

/** Hears the statements of all clients of this process whose database reports them; see {@link tellPlans}. */
export function recordPlans(): { take(): RanStatement[]; stop(): void } {
  let ran: RanStatement[] = []
  const handle = driver._handleNotice
  driver._handleNotice = function (notice) {
    const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(\{.*)$/s.exec(notice.message ?? '') ?? []
    if (json === undefined) return handle.call(this, notice)
    const { 'Query Text': text, Plan } = logged.parse(JSON.parse(json))
    ran.push({ text: text.replaceAll(/\s+/g, ' ').trim(), ms: Number(ms), plan: Plan })
  }
  return {
    take() {
      const taken = ran
      ran = []
      return taken
    },
    stop: () => (driver._handleNotice = handle),
  }
}

export const listNodes = (node: PlanNode): PlanNode[] => [node, ...node.Plans.flatMap(listNodes)]

/** Rows that a node fetched from its table, those that it threw away included. */
export const countRows = (node: PlanNode): number =>
  Math.round(
    (node['Actual Rows'] + node['Rows Removed by Filter'] + node['Rows Removed by Index Recheck']) *
      node['Actual Loops'],
  )
