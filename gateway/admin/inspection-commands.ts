import { stat } from 'node:fs/promises'
import {
  activateSnapshot,
  listSnapshots,
  removeSnapshot,
  type SnapshotSource,
} from '../../db/inspect/clear-signing/snapshots.ts'
import { importSnapshot } from '../../relayer/inspect/clear-signing/import-snapshot.ts'
import { readArchive } from '../../relayer/inspect/clear-signing/read-archive.ts'
import { readFolder } from '../../relayer/inspect/clear-signing/read-folder.ts'
import { type SnapshotFiles, SnapshotRefused } from '../../relayer/inspect/clear-signing/snapshot-files.ts'
import { type AdminCommand, AdminError, type GivenOptions, readYes } from './command.ts'
import { importSignatures } from '../../relayer/inspect/function-signatures/import-signatures.ts'

const REPOSITORY = 'https://github.com/ethereum/clear-signing-erc7730-registry'
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Commands about descriptors (ERC-7730), which say what calls and messages mean. */
export const clearSigningCommands: readonly AdminCommand[] = [
  {
    name: 'clear-signing import',
    usage:
      '<folder|file.tar.gz|https://…> --commit <hash> [--sha256 <hash of the archive>] [--registry <name>] [--repository <url>] [--pull-request <n>] [--local yes] [--skip-invalid yes] [--dry-run yes]',
    help: 'check the descriptors of a registry and serve them; all or none',
    words: { least: 1, most: 1 },
    options: {
      commit: { type: 'string' },
      sha256: { type: 'string' },
      registry: { type: 'string' },
      repository: { type: 'string', default: REPOSITORY },
      'pull-request': { type: 'string' },
      local: { type: 'string', default: 'no' },
      'skip-invalid': { type: 'string', default: 'no' },
      'dry-run': { type: 'string', default: 'no' },
    },
    async run({ database, print }, [place = ''], options) {
      const source = readSource(options)
      try {
        // The compiler of schemas is loaded for this command alone.
        const { compileSchema } = await import('../../relayer/inspect/clear-signing/compile-schema.ts')
        const made = await importSnapshot(database, await readFiles(place, source.commit, options), source, {
          checkSchema: compileSchema(),
          skipInvalid: readYes('skip-invalid', options),
          dryRun: readYes('dry-run', options),
        })
        for (const problem of made.problems) print(`left out: ${problem}`)
        const content = `${made.descriptors} descriptors that name ${made.bindings} contracts, content ${made.contentHash.toString('hex')}`
        print(made.id === null ? `${content}: nothing was stored` : `Import ${made.id} is served: ${content}`)
      } catch (error) {
        if (error instanceof SnapshotRefused)
          throw new AdminError(`Nothing was imported.\n${error.message}`, { cause: error })
        throw error
      }
    },
  },
  {
    name: 'clear-signing list',
    usage: '',
    help: 'imports, the newest first: id, whether it is served, registry, status, commit, descriptors, time, content',
    words: { least: 0, most: 0 },
    options: {},
    async run({ database, print }) {
      for (const one of await listSnapshots(database)) {
        const status = one.pullRequest === null ? one.status : `pull request ${one.pullRequest}`
        print(
          [
            one.id,
            one.active ? 'served' : '-',
            one.registry,
            status,
            one.commit ?? '-',
            one.descriptors,
            one.importedAt.toISOString(),
            one.contentHash.toString('hex'),
          ].join('\t'),
        )
      }
    },
  },
  {
    name: 'clear-signing activate',
    usage: '<id>',
    help: 'serve an earlier import again, in place of the one that is served now',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, print }, [text]) {
      const id = readId(text)
      if (!(await activateSnapshot(database, id))) throw new AdminError(`There is no import ${id}`)
      print(`Import ${id} is served`)
    },
  },
  {
    name: 'clear-signing remove',
    usage: '<id>',
    help: 'delete an import; if it is served, nothing takes its place',
    words: { least: 1, most: 1 },
    options: {},
    async run({ database, print }, [text]) {
      const id = readId(text)
      if (!(await removeSnapshot(database, id))) throw new AdminError(`There is no import ${id}`)
      print(`Import ${id} is deleted`)
    },
  },
]

function readSource(options: GivenOptions): Omit<SnapshotSource, 'contentHash'> {
  const isLocal = readYes('local', options)
  const registry = options['registry'] ?? (isLocal ? 'local' : 'ethereum')
  if (!NAME.test(registry))
    throw new AdminError('--registry: expected lower case letters, digits, ".", "_" and "-"')
  if (isLocal) {
    if (options['commit'] !== undefined || options['pull-request'] !== undefined)
      throw new AdminError('--local goes with neither --commit nor --pull-request')
    return { registry, status: 'local', pullRequest: null, repository: null, commit: null }
  }
  const { commit, repository = REPOSITORY } = options
  if (!commit || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    throw new AdminError('--commit: expected the 40 hex digits of a commit, in lower case')
  const url = URL.parse(repository)
  if (url?.protocol !== 'https:' || url.username || url.search || url.hash)
    throw new AdminError('--repository: expected an https address')
  const pullRequest = options['pull-request']
  if (pullRequest !== undefined && !/^[1-9]\d{0,8}$/.test(pullRequest))
    throw new AdminError(`--pull-request is ${pullRequest}: expected a whole number`)
  return {
    registry,
    status: pullRequest === undefined ? 'merged' : 'pull_request',
    pullRequest: pullRequest === undefined ? null : Number(pullRequest),
    repository: url.href.replace(/\/+$/, ''),
    commit,
  }
}

async function readFiles(
  place: string,
  commit: string | null,
  { sha256 }: GivenOptions,
): Promise<SnapshotFiles> {
  const isUrl = /^https?:/.test(place)
  const found = isUrl ? null : await stat(place).catch(() => null)
  if (!isUrl && !found) throw new AdminError(`There is neither a folder nor a file ${place}`)
  if (found?.isDirectory()) {
    if (sha256 !== undefined) throw new AdminError('--sha256 goes with an archive, not with a folder')
    return readFolder(place, commit)
  }
  if (isUrl && !place.startsWith('https:')) throw new AdminError('Only https addresses are read')
  if (!sha256 || !/^[0-9a-fA-F]{64}$/.test(sha256))
    throw new AdminError('--sha256: expected the 64 hex digits of the SHA-256 of the archive')
  return readArchive(place, { sha256, commit })
}

function readId(text = ''): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text)
  throw new AdminError(`${text} is no import: expected its number, as \`clear-signing list\` shows it`)
}

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
    async run({ database, print }, [file = ''], options) {
      const done = await importSignatures(database, file, {
        verified: readYes('verified', options),
        replace: readYes('replace', options),
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
