import { exitProcess } from '../../relayer/concurrency/run-contained.ts'
import { runAcross } from './across/run-across.ts'
import { runAsp } from './asp/run-asp.ts'
import { runCash } from './cash/run-cash.ts'
import { runMarket } from './market/run-market.ts'

// The service's partners on real chains: one process for all, for each would load the same modules. It lives and dies
// with the service that forked it.
process.on('disconnect', () => exitProcess(0))
// The service decides when to stop: a Ctrl-C in the terminal reaches us as well.
process.on('SIGINT', () => undefined)

const programs: Readonly<
  Record<string, (settings: never, tell: (message: object) => void) => Promise<void>>
> = {
  asp: runAsp,
  across: runAcross,
  cash: runCash,
  market: runMarket,
}

process.on('message', ({ part, settings }: { part: string; settings: never }) => {
  // A service whose start failed has gone before the answer; 'disconnect' ends this process.
  const tell = (message: object) => process.send?.({ part, message }, () => undefined)
  programs[part]?.(settings, tell).catch((error: unknown) => {
    console.error(`${part}:`, error)
    exitProcess(1)
  })
})
