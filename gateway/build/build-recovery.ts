import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputOptions, type RolldownOutput } from 'rolldown'
import { build, type Plugin } from 'vite'
import { oneCurve } from './build-wallet.ts'

/** Comments name modules by their places in it, from wherever the build is started. */
const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'gateway/recovery')
const CIRCUIT = 'virtual:commitment-circuit'
const CIRCUIT_FILES = new URL('artifacts/', import.meta.resolve('@0xbow/privacy-pools-core-sdk'))

/** Puts the circuit into the program, so that nothing has to be fetched when everything else is gone. */
const circuit: Plugin = {
  name: 'commitment-circuit',
  resolveId: (id) => (id === CIRCUIT ? `\0${CIRCUIT}` : null),
  async load(id) {
    if (id !== `\0${CIRCUIT}`) return null
    const read = async (kind: string) =>
      (await readFile(fileURLToPath(new URL(`commitment.${kind}`, CIRCUIT_FILES)))).toString('base64')
    return `export const WASM = '${await read('wasm')}'\nexport const ZKEY = '${await read('zkey')}'\n`
  },
}

/** A file that the build made. */
export interface RecoveryFile {
  name: string
  sha256: string
}

/**
 * Builds the way out without the service: a page in one file, and a program for Node.js. Equal sources make equal files.
 * @param folder Is replaced.
 */
export async function buildRecovery(folder: string): Promise<RecoveryFile[]> {
  const { NODE_ENV } = process.env
  // As for the wallet: React and vite read it.
  process.env['NODE_ENV'] = 'production'
  try {
    const files = { 'recovery.html': await buildPage(), 'recover.mjs': await buildProgram() }
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const made = Object.entries(files).map(([name, text]) => ({ name, sha256: hash(text, 'hex') }))
    await writeFile(
      join(folder, 'SHA256SUMS'),
      made.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''),
    )
    return made
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

const hash = (text: string, encoding: 'hex' | 'base64') => createHash('sha256').update(text).digest(encoding)

async function buildPage(): Promise<string> {
  const built = (await build({
    configFile: false,
    root: join(SOURCE, 'page'),
    mode: 'production',
    logLevel: 'error',
    plugins: [oneCurve, circuit],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      cssCodeSplit: false,
      // Code that people can read.
      minify: false,
      cssMinify: false,
      rolldownOptions: { cwd: ROOT, input: join(SOURCE, 'page/main.tsx'), output: ONE_FILE },
    },
  })) as RolldownOutput
  const script = readChunk(built)
  const style = built.output.flatMap((part) =>
    part.type === 'asset' && part.fileName.endsWith('.css') ? [String(part.source)] : [],
  )
  return fillPage(makeInline(script), style.join('\n'))
}

/** A page reads these otherwise than a script's file: the first two would end it, and names of modules have the third. */
const makeInline = (script: string) =>
  script
    .replaceAll('</script', String.raw`<\/script`)
    .replaceAll('<!--', String.raw`<\!--`)
    .replaceAll('\0', '')

const ONE_FILE: OutputOptions = { format: 'esm', codeSplitting: false }

function readChunk({ output }: RolldownOutput): string {
  const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part.code] : []))
  const [code] = chunks
  if (code === undefined || chunks.length > 1) throw new Error('the program is not one file')
  return code
}

/** The page runs this script only, and asks nothing but nodes by fetch. */
async function fillPage(script: string, style: string): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash(script, 'base64')}' 'wasm-unsafe-eval'`,
    `style-src 'sha256-${hash(style, 'base64')}'`,
    'img-src data:',
    'connect-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const parts: Readonly<Record<string, string>> = {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    style: `<style>${style}</style>`,
    script: `<script type="module">${script}</script>`,
  }
  const page = await readFile(join(SOURCE, 'page/index.html'), 'utf8')
  return page.replaceAll(/<!-- (policy|style|script) -->/g, (_, name: string) => parts[name] ?? '')
}

async function buildProgram(): Promise<string> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: join(SOURCE, 'main.ts'),
    platform: 'node',
    plugins: [circuit as never],
    logLevel: 'silent',
  })
  try {
    return readChunk(await bundle.generate(ONE_FILE))
  } finally {
    await bundle.close()
  }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, '../../dist-recovery')
  for (const { name, sha256 } of await buildRecovery(folder)) process.stdout.write(`${sha256}  ${name}\n`)
}
