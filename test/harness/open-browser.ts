import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Path of a Chromium on this machine; undefined if there is none, after printing which test is skipped.
 * @throws Error in CI, where no test is skipped.
 */
export function findBrowser(test: string): string | undefined {
  const found = PLACES.find((path) => existsSync(path))
  if (found) return found
  if (process.env['CI']) throw new Error(`${test} needs chromium, which CI must install`)
  process.stdout.write(`skipped: ${test}: there is no chromium here (Debian: apt-get install chromium)\n`)
  return undefined
}

/** A headless browser that sends no requests of its own. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
}
