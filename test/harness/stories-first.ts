import { readFile } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A story's length is in its own file, not in the one that starts it. */
const STORY = /\w+Story\(|\brunDemo\(/

/**
 * Orders the files. Without times of an earlier run vitest begins with the largest. The few lines that start a story
 * would come last, and one of them would run alone at the end.
 */
export class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const stories = new Set<TestSpecification>()
    await Promise.all(
      sorted.map(async (file) => {
        if (STORY.test(await readFile(file.moduleId, 'utf8'))) stories.add(file)
      }),
    )
    return [...sorted.filter((file) => stories.has(file)), ...sorted.filter((file) => !stories.has(file))]
  }
}
