import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')

export interface Finding {
  file: string
  line: number
  message: string
}

/** Lints files that exist only in a temporary folder, with the repository's configuration; answers one rule's findings. */
export async function lintPlanted(rule: string, files: Readonly<Record<string, string>>): Promise<Finding[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lint-')))
  try {
    await cp(join(root, '.lint'), join(folder, '.lint'), { recursive: true })
    await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    const report = JSON.parse(await run(folder)) as Report
    return report.diagnostics
      .filter(({ code }) => code === `house(${rule})`)
      .map(({ filename, labels, message }) => ({ file: filename, line: labels[0]?.span.line ?? 0, message }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Report {
  diagnostics: { code: string; filename: string; message: string; labels: { span: { line: number } }[] }[]
}

/** The linter's report. It exits with 1 when it finds something, which is no failure here. */
const run = (folder: string) =>
  new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [oxlint, '-f', 'json', '.'], { cwd: folder }, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(`${error.message}\n${stderr}`))
      else resolve(stdout)
    })
  })
