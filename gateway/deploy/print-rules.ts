import { STANDING_ALARMS, type StandingAlarm } from '../alarms.ts'

/** A rule of Prometheus that raises an alert. */
export interface AlertRule {
  alert: string
  expr: string
  for: string
  labels: { severity: 'page' | 'ticket' }
  annotations: { summary: string; description: string; runbook: string }
}

const RUNBOOK = 'OPERATING.md#runbook'
const JOB = 'stealth-relay'
/** The board removes an alarm when its cause ends; two scrapes of 15 s are enough against a single wrong one. */
const STANDS_FOR = '15s'

/** Lists one rule for each standing alarm. Instances that see the same fault raise one alert. */
export const listStandingRules = (): AlertRule[] =>
  Object.entries<StandingAlarm>(STANDING_ALARMS).map(([code, { level, message, hurts, check, action }]) => ({
    alert: code,
    expr: `max by (chain) (alarms{code="${code}"}) > 0`,
    for: STANDS_FOR,
    labels: { severity: level === 'error' ? 'page' : 'ticket' },
    annotations: {
      summary: message,
      description: `${hurts} Check ${withoutLinks(check)}. ${withoutLinks(action)}`,
      runbook: RUNBOOK,
    },
  }))

/** Lists the rules for faults that an instance cannot report itself. */
export const listInstanceRules = (): AlertRule[] => [
  {
    alert: 'INSTANCE_DOWN',
    expr: `up{job="${JOB}"} == 0`,
    for: '30s',
    labels: { severity: 'page' },
    annotations: {
      summary: 'an instance does not answer',
      description: 'Clients of this instance: the balancer must leave it out. Check its log and its machine.',
      runbook: RUNBOOK,
    },
  },
  {
    alert: 'ANSWERS_FAIL',
    expr:
      'sum(rate(http_request_duration_seconds_count{status=~"5.."}[5m])) ' +
      '/ sum(rate(http_request_duration_seconds_count[5m])) > 0.05',
    for: '5m',
    labels: { severity: 'page' },
    annotations: {
      summary: 'more than one answer in twenty is a failure of the service',
      description: 'Clients get 5xx. Check which operation by http_request_duration_seconds, then the log.',
      runbook: RUNBOOK,
    },
  },
  {
    alert: 'EVENT_LOOP_LATE',
    expr: `nodejs_eventloop_lag_p99_seconds{job="${JOB}"} > 0.1`,
    for: '10m',
    labels: { severity: 'ticket' },
    annotations: {
      summary: 'the main thread of an instance is full',
      description:
        'All answers of the instance are late. Add an instance; OPERATING.md, Capacity, says when.',
      runbook: RUNBOOK,
    },
  },
]

const withoutLinks = (markdown: string) => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** Writes the alert rules for Prometheus, as JSON, which is YAML too. */
export function printRules(): string {
  const groups = [
    { name: 'stealth-relay alarms', interval: '15s', rules: listStandingRules() },
    { name: 'stealth-relay instances', interval: '15s', rules: listInstanceRules() },
  ]
  return `# Printed from the code by npm run print; do not edit.\n${JSON.stringify({ groups }, null, 2)}\n`
}
