import { TransportError } from '../../rpc/json-rpc.ts'

/** EIP-7825: no transaction may have more. */
export const MAX_GAS = 16_777_216n
/**
 * Gas is no time limit: a loop of precompiles may take a JavaScript EVM 40 s within the gas of one transaction. The thread's
 * CPU time counts, so that a busy machine gives up no sooner than an idle one.
 */
const MAX_CPU_MS = 1_500
const MAX_FETCHES = 2_000
const MAX_FRAMES = 5_000

/** The limit that ended a simulation: its time, the places of the state that it read, or the calls that it made. */
export type SimulationLimit = 'time' | 'fetches' | 'frames'

const REASONS: Record<SimulationLimit, string> = {
  time: `it takes more than ${MAX_CPU_MS} ms`,
  fetches: `it reads more than ${MAX_FETCHES} places of the state`,
  frames: `it makes more than ${MAX_FRAMES} calls`,
}

/** The simulation was given up: the end of the call is unknown. */
export class SimulationLimitError extends Error {
  override name = 'SimulationLimitError'
  readonly limit: SimulationLimit

  constructor(limit: SimulationLimit) {
    super(`the simulation was given up: ${REASONS[limit]}`)
    this.limit = limit
  }
}

/** The limits of one simulation; every method throws SimulationLimitError beyond its limit. */
export interface SimulationLimits {
  countFetch(): void
  countFrame(): void
  checkTime(): void
  /** Refuses work that would surely exceed the limit, because nothing can interrupt it. */
  reserve(expectedMs: number): void
  /** Waits for the network; throws TransportError when it takes too long. */
  wait<T>(answer: Promise<T>): Promise<T>
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The time of one simulation, in milliseconds. */
export interface SimulationTime {
  /** Wall-clock time for everything. */
  timeoutMs: number
  /** The part of it for waiting for the network. */
  networkMs: number
}

/**
 * Starts the limits of one simulation: its time, with at most MAX_CPU_MS of the thread's CPU time. CPU time of other work
 * while it waits for the network does not count.
 */
export function createSimulationLimits({ timeoutMs, networkMs }: SimulationTime): SimulationLimits {
  const deadline = performance.now() + timeoutMs
  let cpuLimit = readCpuMs() + Math.min(timeoutMs, MAX_CPU_MS)
  let fetches = 0
  let frames = 0
  let waiting = 0
  /** Start of the present wait for the network, while there is one. */
  let waitingSince = 0
  let cpuBeforeMs = 0
  let waitedMs = 0

  function timeToWait(): number {
    const now = performance.now()
    const waited = waitedMs + (waiting > 0 ? now - waitingSince : 0)
    return Math.max(0, Math.min(networkMs - waited, deadline - now))
  }

  function beginWaiting(): void {
    waitingSince = performance.now()
    cpuBeforeMs = readCpuMs()
  }
  function endWaiting(): void {
    waitedMs += performance.now() - waitingSince
    cpuLimit += readCpuMs() - cpuBeforeMs
  }

  function reserve(expectedMs: number): void {
    const isLate = readCpuMs() + expectedMs > cpuLimit || performance.now() + expectedMs > deadline
    if (isLate) throw new SimulationLimitError('time')
  }

  return {
    countFetch() {
      if (++fetches > MAX_FETCHES) throw new SimulationLimitError('fetches')
    },
    countFrame() {
      if (++frames > MAX_FRAMES) throw new SimulationLimitError('frames')
      reserve(0)
    },
    checkTime: () => reserve(0),
    reserve,
    async wait(answer) {
      const { promise, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => reject(new TransportError('the node is too slow to read the state from')),
        timeToWait(),
      )
      if (waiting++ === 0) beginWaiting()
      try {
        return await Promise.race([answer, promise])
      } finally {
        clearTimeout(timer)
        if (--waiting === 0) endWaiting()
      }
    },
  }
}
