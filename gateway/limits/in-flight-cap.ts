import { ServiceError } from '../../relayer/service-error.ts'

/** Gives the place up while something is waited for, and takes one again. @throws ServiceError 503 SERVER_BUSY. */
export type StepAside = <Result>(wait: () => Promise<Result>) => Promise<Result>

export interface InFlightCap {
  /** Runs the work, unless as many as allowed are running already. @throws ServiceError 503 SERVER_BUSY. */
  run<Result>(work: (stepAside: StepAside) => Promise<Result>): Promise<Result>
  running(): number
}

/** Bounds what runs at once, so that an overload is answered quickly instead of queued without end. */
export function createInFlightCap(most: number): InFlightCap {
  let running = 0

  function enter(): void {
    if (running >= most) {
      throw new ServiceError('unavailable', 'Too many requests are in progress; try again', {
        code: 'SERVER_BUSY',
      })
    }
    running += 1
  }

  return {
    running: () => running,
    async run(work) {
      let isInside = false
      const come = () => {
        enter()
        isInside = true
      }
      const go = () => {
        if (isInside) running -= 1
        isInside = false
      }
      come()
      try {
        return await work(async (wait) => {
          go()
          const result = await wait()
          come()
          return result
        })
      } finally {
        go()
      }
    },
  }
}
