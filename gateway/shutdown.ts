import type { Logger } from 'pino'

/** What has been started, ended in the reverse order of its start. */
export interface ShutdownList {
  /** Registers how to end something, right after it was started. */
  add(name: string, stop: () => unknown): void
  /** Ends everything; a step that fails is logged and does not keep the others from ending. Further calls wait for the first. */
  run(): Promise<void>
}

export function createShutdownList(logger: Logger): ShutdownList {
  const steps: { name: string; stop: () => unknown }[] = []
  let running: Promise<void> | undefined

  async function end(): Promise<void> {
    for (const { name, stop } of steps.toReversed()) {
      try {
        await stop()
        logger.debug({ step: name }, 'stopped')
      } catch (error) {
        logger.error({ err: error, step: name }, 'did not stop cleanly')
      }
    }
  }

  return {
    add: (name, stop) => void steps.push({ name, stop }),
    run: () => (running ??= end()),
  }
}
