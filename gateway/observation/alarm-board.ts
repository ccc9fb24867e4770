import { Gauge, type Registry } from 'prom-client'
import { STANDING_ALARMS, type AlarmCode } from '../alarms.ts'
import type { Logger } from '../logging.ts'

/** One fault that a source sees now. */
export interface Finding {
  code: AlarmCode
  /** Null for a fault of the whole service. */
  chainId: number | null
  /** The node, signer, setting or venue at fault; null where the code says it all. */
  subject: string | null
  /** The observation, in words and without secrets, because the operator's pages show it. */
  detail: string
}

/** An alarm that stands now. */
export interface RaisedAlarm extends Finding {
  level: 'error' | 'warn'
  /** Milliseconds since the epoch. */
  since: number
}

/** Returns the faults that one part of the service sees now. It answers within seconds even if everything else hangs. */
export type AlarmSource = () => Promise<readonly Finding[]> | readonly Finding[]

/** The active alarms. They are in memory, so reading them causes no requests. */
export interface AlarmBoard {
  /** Alarms that stand, the worst first. */
  raised(): readonly RaisedAlarm[]
  /** Asks every source now; concurrent calls share one round. */
  look(): Promise<void>
  stop(): void
}

const LOOK_EVERY_MS = 1_000
const ORDER = Object.keys(STANDING_ALARMS)

const keyOf = ({ code, chainId, subject }: Finding) => `${code} ${chainId ?? ''} ${subject ?? ''}`

/** Asks the sources once a second and logs one entry for each alarm that begins or ends. */
export function openAlarmBoard(sources: readonly AlarmSource[], logger: Logger): AlarmBoard {
  let standing = new Map<string, RaisedAlarm>()
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function ask(): Promise<void> {
    const answers = await Promise.all(
      sources.map(async (source) => {
        try {
          return await source()
        } catch (error) {
          logger.debug({ err: error }, 'a source of alarms failed')
          return []
        }
      }),
    )
    if (isStopped) return
    const now = Date.now()
    const found = new Map(answers.flat().map((finding) => [keyOf(finding), finding]))
    for (const [key, alarm] of standing) if (!found.has(key)) logEnd(alarm, now)
    standing = new Map(
      [...found].map(([key, finding]) => {
        const known = standing.get(key)
        if (!known) logBegin(finding)
        const { level } = STANDING_ALARMS[finding.code]
        return [key, { ...finding, level, since: known?.since ?? now }]
      }),
    )
  }

  function logBegin({ code, ...facts }: Finding): void {
    const { level, message } = STANDING_ALARMS[code]
    logger[level]({ alarm: code, ...facts }, message)
  }

  function logEnd({ code, chainId, subject, since }: RaisedAlarm, now: number): void {
    logger.warn({ alarm: code, chainId, subject, lastedMs: now - since }, 'an alarm is over')
  }

  const look = () => (looking ??= ask().finally(() => (looking = null)))
  const follow = () => {
    timer = setTimeout(() => void look().finally(() => !isStopped && follow()), LOOK_EVERY_MS)
    timer.unref()
  }
  follow()
  return {
    raised: () => [...standing.values()].toSorted((one, other) => rank(one) - rank(other)),
    look,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

const rank = ({ code }: Finding) => ORDER.indexOf(code)

/** Registers the number of alarms that stand, by code and chain; a code that stood since the start stays, with 0. */
export function registerAlarmFigures(registry: Registry, raised: () => readonly RaisedAlarm[]): void {
  const seen = new Map<string, { code: string; chain: string }>()
  const gauge = new Gauge({
    name: 'alarms',
    help: 'Alarms that stand now, by code; `chain` is empty for the whole service.',
    labelNames: ['code', 'chain'],
    registers: [registry],
    collect() {
      gauge.reset()
      const labelled = raised().map(({ code, chainId }) => ({ code, chain: String(chainId ?? '') }))
      for (const labels of labelled) seen.set(`${labels.code} ${labels.chain}`, labels)
      for (const labels of seen.values()) gauge.set(labels, 0)
      for (const labels of labelled) gauge.inc(labels)
    },
  })
}
