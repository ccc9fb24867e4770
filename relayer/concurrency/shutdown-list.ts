import type { Logger } from 'pino'

/** All started parts; they are stopped in reverse order. */
export interface ShutdownList {
  /** Registers how to stop a part, right after its start. A part added after the shutdown began is stopped at once. */
  add(name: string, stop: () => unknown): void
  /** Stops everything. A step that fails is logged, and the others still run. Further calls wait for the first. */
  run(): Promise<void>
}

/** Creates an empty list. @param logger Learns of steps that fail. */
export function createShutdownList(logger: Logger): ShutdownList {
  const steps: { name: string; stop: () => unknown }[] = []
  let running: Promise<void> | undefined

  async function end(): Promise<void> {
    for (const step of steps.toReversed()) await endStep(step)
  }

  async function endStep({ name, stop }: (typeof steps)[number]): Promise<void> {
    try {
      await stop()
      logger.debug({ step: name }, 'stopped')
    } catch (error) {
      logger.error({ err: error, step: name }, 'did not stop cleanly')
    }
  }

  return {
    add(name, stop) {
      if (running) running = Promise.all([running, endStep({ name, stop })]).then(() => undefined)
      else steps.push({ name, stop })
    },
    run: () => (running ??= end()),
  }
}
