/** Names that a folder must not contain, with the exceptions. Paths from the root, with `/`. */
export interface Area {
  /** The rule’s message. */
  says: string
  /** Whether a file is part of it. */
  holds(file: string): boolean
  /** Whether a file is one of those that it may not know. */
  names(imported: string): boolean
  /** Its entries in names.json. */
  allowed: Readonly<Record<string, string>>
}

/** Files and folders (with `/` at the end) that may know by name, each with the reason. */
export interface AllowedNames {
  engine: Readonly<Record<string, string>>
  gateway: Readonly<Record<string, string>>
}

const KINDS = 'relayer/transact/kinds/'
/** A file of one kind; those directly in the folder are for all. */
const OF_A_KIND = /^(?:relayer|schema)\/transact\/kinds\/[^/]+\//
const ENGINE = /^relayer\/(?:transact|activity)\//
/** Parts that serve every feature. */
const OF_ALL_FEATURES = [
  /^relayer\/(?:shares|concurrency)\//,
  /^schema\/(?:define|graph|openapi|printed)\//,
  /^db\/(?:shared-state|idempotency|upkeep|embedded-postgres)\//,
  /^(?:relayer|schema|db)\/[^/]+$/,
  /^proving\//,
]

/** The two claims of ARCHITECTURE.md. */
export const areasOf = ({ engine, gateway }: AllowedNames): readonly Area[] => [
  {
    says: 'The engine of quotes knows no kind by name',
    holds: (file) => ENGINE.test(file) && !file.startsWith(KINDS),
    names: (imported) => OF_A_KIND.test(imported),
    allowed: engine,
  },
  {
    says: 'The gateway knows no feature by name',
    holds: (file) => file.startsWith('gateway/'),
    names: (imported) =>
      /^(?:relayer|schema|db)\//.test(imported) && !OF_ALL_FEATURES.some((part) => part.test(imported)),
    allowed: gateway,
  },
]

/** Whether an entry of names.json is the file, or a folder around it. */
export const isAllowed = ({ allowed }: Pick<Area, 'allowed'>, file: string): boolean =>
  Object.keys(allowed).some((entry) => (entry.endsWith('/') ? file.startsWith(entry) : file === entry))
