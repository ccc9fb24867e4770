import { useState } from 'react'
import { describeProblem } from '../session/describe-problem.ts'

/** Runs one task at a time for a screen, and holds its failure in words. */
export function useTask() {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function run(task: () => Promise<void>): Promise<void> {
    if (isRunning) return
    setRunning(true)
    setFailure(null)
    try {
      await task()
    } catch (error) {
      setFailure(describeProblem(error))
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, failure, run: (task: () => Promise<void>) => void run(task), setFailure }
}
