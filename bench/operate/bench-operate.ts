import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildDist } from '../../gateway/build/build-dist.ts'
import { createServiceProcess, DIST_ARGUMENTS } from '../../test/harness/service-process.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'

const TWO_CHAINS = { DEVNET_CHAIN_IDS: '31337,31338', DEVNET_PORTS: '0,0' }
/**
 * Time for the aftermath of a start. GraphQL is loaded after half a minute. After a minute PostgreSQL analyses the writes of
 * the migrations and the start. After almost two V8 returns the memory of the start.
 */
const SETTLE_MS = 120_000
/** An event of every minute happens once in it. */
const IDLE_SECONDS = 60

const NOTES: Readonly<Record<string, string>> = {
  'operate.startCold':
    'into an empty folder and without compiled code, devnet of two chains included; peer: none',
  'operate.startWarm': 'the same folder once more; peer: none',
  'operate.startDist': 'the same folder, bundled, with compiled code; peer: none',
  'operate.idle': 'a second with two chains and no client, PostgreSQL included; peer: none',
}

/** Cost of an unused service: from the start until it is ready, and a second of waiting. */
export async function benchOperate(settings: Settings): Promise<UnratedRow[]> {
  const samples = new Map<string, Sample[]>()
  const add = (name: string, sample: Sample) => samples.set(name, [...(samples.get(name) ?? []), sample])
  for (let round = 0; round < settings.rounds; round += 1) {
    settings.tell(`round ${round + 1} of ${settings.rounds}`)
    await measureStarts(add)
    await measureIdle(add)
  }
  return [...samples].map(([name, rounds]) => ({
    ...summarize({ name, baseline: null, compared: 'wall' }, rounds),
    note: NOTES[name] ?? '',
  }))
}

type Add = (name: string, sample: Sample) => void

async function measureStarts(add: Add): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
  const measure = async (name: string | null, nodeArguments?: readonly string[]) => {
    const env = {
      ...TWO_CHAINS,
      DATA_DIR: join(folder, 'data'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    }
    const service = await createServiceProcess(env, nodeArguments)
    const started = performance.now()
    await service.start()
    if (name) add(name, { operations: 1, cpuMs: null, wallMs: performance.now() - started })
    await service.stop()
  }
  try {
    await measure('operate.startCold')
    await measure('operate.startWarm')
    const dist = join(folder, 'dist')
    await buildDist(dist)
    const fromDist = DIST_ARGUMENTS.map((argument) => argument.replace(/^dist/, dist))
    // The first start compiles the code.
    await measure(null, fromDist)
    await measure('operate.startDist', fromDist)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureIdle(add: Add): Promise<void> {
  const service = await startOwnService({}, TWO_CHAINS)
  try {
    // The first reading of the metrics costs more than those of a minute's idling.
    await service.readCpu()
    await sleep(SETTLE_MS)
    add('operate.idle', await takeSample(service.readCpu, IDLE_SECONDS, () => sleep(IDLE_SECONDS * 1_000)))
  } finally {
    await service.stop()
  }
}
