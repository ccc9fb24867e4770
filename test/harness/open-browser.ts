import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Path of a Chromium on this machine, or undefined when there is none. Then prints which test is skipped for it.
 * @throws Error in CI, where nothing is skipped.
 */
export function findBrowser(test: string): string | undefined {
  const found = PLACES.find((path) => existsSync(path))
  if (found) return found
  if (process.env['CI']) throw new Error(`${test} needs chromium, which CI must install`)
  process.stdout.write(`skipped: ${test}: there is no chromium here (Debian: apt-get install chromium)\n`)
  return undefined
}

/** A headless browser that calls nobody by itself. */
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
