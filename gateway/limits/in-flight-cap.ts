import { mostOf } from '../../relayer/shares/threshold.ts'
import { createFairGate } from './fair-gate.ts'
import { serverBusy } from '../../relayer/errors.ts'

/**
 * Gives the place up while the caller waits for something, then takes one again. @throws ServiceError 503
 * SERVER_BUSY.
 */
export type StepAside = <Result>(wait: () => Promise<Result>) => Promise<Result>

export interface InFlightCap {
  /**
   * Runs a client's work when its turn comes, unless the allowed number is running already.
   *
   * @param client The client's network, by which limits count.
   * @throws ServiceError 503 SERVER_BUSY.
   */
  run<Result>(client: string, work: (stepAside: StepAside) => Promise<Result>): Promise<Result>
  running(): number
}

/**
 * Limits running work, in total and per client. An overload is then answered quickly instead of being queued without
 * end. A client may use at most twice the free number, so that a few clients cannot overload it for all. Clients start
 * in turn.
 */
export function createInFlightCap(most: number, mostOfClient = most): InFlightCap {
  const gate = createFairGate()
  const ofClients = new Map<string, number>()
  let running = 0

  function enter(client: string): void {
    const own = ofClients.get(client) ?? 0
    if (own >= Math.min(mostOfClient, mostOf(most - running, own)))
      throw serverBusy('Too many requests of yours are in progress; try again')
    if (running >= most) throw serverBusy('Too many requests are in progress; try again')
    ofClients.set(client, own + 1)
    running += 1
  }

  function leave(client: string): void {
    const left = (ofClients.get(client) ?? 1) - 1
    if (left > 0) ofClients.set(client, left)
    else ofClients.delete(client)
    running -= 1
  }

  return {
    running: () => running,
    async run(client, work) {
      let isInside = false
      const come = () => {
        enter(client)
        isInside = true
        return gate.enter(client)
      }
      const go = () => {
        if (isInside) leave(client)
        isInside = false
      }
      try {
        await come()
        return await work(async (wait) => {
          go()
          const result = await wait()
          await come()
          return result
        })
      } finally {
        go()
      }
    },
  }
}
