import { rm } from 'node:fs/promises'
import { HELP, readSettings, SettingsError } from './settings.ts'
import { exitProcess } from '../relayer/concurrency/run-contained.ts'

const started = performance.now()
/** Progress is for people, so it goes to standard error. */
const tell = (what: string) => {
  const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6)
  process.stderr.write(`${seconds} s  ${what}\n`)
}

try {
  const settings = readSettings(process.argv.slice(2), tell)
  if (settings === 'help') console.log(HELP)
  else {
    // Only after the command line was parsed: the measuring modules take a second to load.
    const [{ makeRunFolder }, { runBench }, { saveResults }, { printTable }] = await Promise.all([
      import('./make-run-folder.ts'),
      import('./run-bench.ts'),
      import('./report/save-results.ts'),
      import('./report/print-table.ts'),
    ])
    const folder = await makeRunFolder()
    const results = await measureIn(folder, () => runBench(settings))
    const { json, html } = await saveResults(settings.out, results)
    console.log(`\n${printTable(results)}\n\nwritten: ${json}\n         ${html}`)
    const { latencies: _, ...figures } = results
    if (settings.json) console.log(JSON.stringify(figures))
  }
  exitProcess(0)
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error)
  exitProcess(1)
}

/** Runs a bench whose files are in a folder, and removes the folder. */
async function measureIn<T>(folder: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
