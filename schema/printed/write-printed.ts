import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Writes printed files into a folder. With the argument `--check` on the command line it compares them instead, and a
 * difference ends the program with status 1.
 *
 * @param printed Texts by the names of their files.
 */
export async function writePrinted(folder: URL, printed: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(printed)) {
    const file = new URL(name, folder)
    if (!process.argv.includes('--check')) await writeFile(file, text)
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      console.error(`${relative(root, fileURLToPath(file))} differs from the code: run npm run print and commit it`)
      process.exitCode = 1
    }
  }
}
