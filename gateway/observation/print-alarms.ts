import { STANDING_ALARMS, type StandingAlarm } from '../alarms.ts'
import { LOG_ALARMS, type LogAlarm } from '../log-alarms.ts'

/** Writes every alarm of the service as Markdown. */
export function printAlarms(): string {
  const topics = Object.entries(LOG_ALARMS).map(
    ([topic, alarms]) =>
      `## ${topic}\n\n${LOG_HEAD}\n${Object.entries<LogAlarm>(alarms)
        .map(([code, [level, message, action]]) => `| \`${code}\` | ${level} | \`${message}\` | ${action} |`)
        .join('\n')}\n`,
  )
  return `${INTRODUCTION}\n${printStanding()}\n\n${ENTRIES}\n\n${topics.join('\n')}`
}

/** The standing alarms with what an operator needs at once; {@link printRunbook} has the rest. */
const printStanding = () =>
  Object.entries<StandingAlarm>(STANDING_ALARMS)
    .map(([code, { level, message, hurts }]) => `| \`${code}\` | ${level} | \`${message}\` | ${hurts} |`)
    .join('\n')

/** Writes the runbook: one row for each standing alarm, with symptom, check and action. */
export const printRunbook = (): string =>
  [
    '| code | symptom | check | action |\n|---|---|---|---|',
    ...Object.entries<StandingAlarm>(STANDING_ALARMS).map(
      ([code, { message, check, action }]) => `| \`${code}\` | ${message} | ${check} | ${action} |`,
    ),
  ].join('\n')

const INTRODUCTION = `# Alarms

Printed from the code by \`npm run print\`; do not edit.

## Standing alarms

Each stands while its cause lasts. The front page, \`/status.json\` and the metric \`alarms\` show those that stand now. The log
has one entry when one begins and one when it ends, with its code in \`alarm\`. The [runbook](../../OPERATING.md#runbook) says
what to check and to do.

| code | level | message | who is hurt |
|---|---|---|---|`

const ENTRIES = `The rest are entries of the log: those at level \`error\`, and those at \`warn\` that ask for something, with the code in
\`alarm\`. Alert on \`error\`. Every other \`warn\` names a thing that failed; the service tries it again.`

const LOG_HEAD = '| code | level | message | meaning and action |\n|---|---|---|---|'
