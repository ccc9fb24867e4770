import type { core } from 'zod'

/** The most issues that are listed: the first few suffice to correct a request. */
const MOST = 8

/**
 * Describes the problems of an input, one sentence per invalid member: `body.proof.pi_a: expected 3 items, found 2`.
 * Values are never repeated, because they may be secret.
 */
export function describeIssues(issues: readonly core.$ZodIssue[], root: string): string[] {
  const sentences = issues.slice(0, MOST).map((issue) => `${pathOf(issue.path, root)}: ${problemOf(issue)}`)
  if (issues.length > MOST) sentences.push(`and ${issues.length - MOST} more`)
  return sentences
}

function pathOf(path: readonly PropertyKey[], root: string): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    root,
  )
}

function problemOf(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `is required (${issue.expected})` : `expected ${issue.expected}`
    case 'unrecognized_keys':
      return `has members that are not allowed: ${namesOf(issue.keys)}`
    case 'too_big':
    case 'too_small':
      return boundProblem(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? issue.message
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    default:
      return issue.message
  }
}

/** Messages for formats whose shape has none. */
const FORMATS: Readonly<Record<string, string>> = { uuid: 'expected a uuid', url: 'expected an absolute URL' }

function boundProblem(issue: core.$ZodIssueTooBig | core.$ZodIssueTooSmall): string {
  const unit =
    { array: ' item', string: ' character', set: ' item', map: ' item' }[issue.origin as string] ?? ''
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum
  const [inclusive, exclusive] =
    issue.code === 'too_big' ? ['at most', 'less than'] : ['at least', 'more than']
  const relation = issue.exact ? 'exactly' : issue.inclusive === false ? exclusive : inclusive
  return `expected ${relation} ${bound}${unit}${unit && Number(bound) !== 1 ? 's' : ''}`
}

function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, MOST).map(shorten)
  if (keys.length > MOST) names.push(`and ${keys.length - MOST} more`)
  return names.join(', ')
}

function shorten(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key)
}
