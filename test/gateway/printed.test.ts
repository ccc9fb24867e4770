import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the printed API, settings, metrics and alarms equal the code', async () => {
  const script = new URL('../../gateway/print.ts', import.meta.url).pathname
  await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({
    stderr: '',
  })
})
