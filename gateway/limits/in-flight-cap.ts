import { ServiceError } from '../../relayer/service-error.ts'

export interface InFlightCap {
  /** Runs the work, unless as many as allowed are running already. @throws ServiceError 503 SERVER_BUSY. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  running(): number
}

/** Bounds what runs at once, so that an overload is answered quickly instead of queued without end. */
export function createInFlightCap(most: number): InFlightCap {
  let running = 0
  return {
    running: () => running,
    async run(work) {
      if (running >= most) {
        throw new ServiceError('unavailable', 'Too many requests are in progress; try again', {
          code: 'SERVER_BUSY',
        })
      }
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}
