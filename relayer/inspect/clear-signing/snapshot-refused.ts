/** An import was rejected and stored nothing. The operator sees the problems, a line each. */
export class SnapshotRefused extends Error {
  override name = 'SnapshotRefused'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
