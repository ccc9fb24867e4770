import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderReport } from './render-report.ts'
import type { Results } from './results.ts'

/** Writes the results as JSON and as a report, named by the time, and returns both paths. */
export async function saveResults(folder: string, results: Results): Promise<{ json: string; html: string }> {
  await mkdir(folder, { recursive: true })
  const name = results.startedAt.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z')
  const [json, html] = [join(folder, `${name}.json`), join(folder, `${name}.html`)]
  await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(html, renderReport(results))
  return { json, html }
}
