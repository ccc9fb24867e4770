import { importSignatures } from '../../relayer/inspect/function-signatures/import-signatures.ts'
import { type AdminCommand, AdminError } from './command.ts'

const PROGRESS_EVERY = 500_000

export const signatureCommands: readonly AdminCommand[] = [
  {
    name: 'signatures import',
    usage: '<file> [--verified yes] [--replace yes]',
    help: 'add function signatures, a line each: signature[,verified]; text or CSV, also as .gz',
    words: { least: 1, most: 1 },
    options: {
      verified: { type: 'string', default: 'no' },
      replace: { type: 'string', default: 'no' },
    },
    async run({ database, print }, [file = ''], { verified, replace }) {
      const done = await importSignatures(database, file, {
        verified: readYes('verified', verified),
        replace: readYes('replace', replace),
        onProgress: (lines) => {
          if (lines % PROGRESS_EVERY < 10_000) print(`${lines} lines`)
        },
      }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new AdminError(`There is no file ${file}`) : error
      })
      print(
        `${done.lines} lines read, ${done.leftOut} of them no signature; the table has ${done.stored} signatures`,
      )
    },
  },
]

function readYes(option: string, text = 'no'): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new AdminError(`--${option} is ${text}: expected yes or no`)
}
