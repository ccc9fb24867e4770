/** Why an import was refused. The operator sees the problems, a line each; nothing was stored. */
export class SnapshotRefused extends Error {
  override name = 'SnapshotRefused'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
